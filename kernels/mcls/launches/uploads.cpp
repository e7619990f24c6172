#include "kernels/mcls/launches/uploads.hpp"

#include "kernels/mcls/tables/double_tables.hpp"

namespace mcls {

template <class Of>
Uploaded<Of>::Uploaded(const Walks& walks)
    : method(MethodOf<Of>::on(walks, MethodOf<Of>::made(walks), tables)), cells(MethodOf<Of>::cells(method)) {}

template struct Uploaded<Adjoint<CdfRows>>;
template struct Uploaded<Adjoint<AliasRows>>;
template struct Uploaded<Adjoint<ShortRows>>;
template struct Uploaded<Forward<AliasRows>>;
template struct Uploaded<Stratified<AliasRows>>;
template struct Uploaded<GuidedShortRows>;
template struct Uploaded<QuarterPaths>;
template struct Uploaded<CountedWalkers>;
template struct Uploaded<Population>;
template struct Uploaded<SlotWalks<1>>;
template struct Uploaded<SlotWalks<2>>;
template struct Uploaded<SlotWalks<3>>;
template struct Uploaded<AdjointTables<CsrRows>>;
template struct Uploaded<AdjointTables<StructRows>>;
template struct Uploaded<ForwardTables<CsrRows>>;
template struct Uploaded<ForwardTables<StructRows>>;

}  // namespace mcls
