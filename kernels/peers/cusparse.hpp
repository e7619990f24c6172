// Products of a sparse matrix and vectors by cuSPARSE.
#pragma once

#include <cusparse.h>

#include <algorithm>
#include <string>

#include "bench/errors.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/peers/gpu_solver.hpp"

namespace peers {

inline void check(cusparseStatus_t status, const char* what) {
    if (status != CUSPARSE_STATUS_SUCCESS) {
        throw bench::CudaError(std::string(what) + " failed: " + cusparseGetErrorString(status));
    }
}
#define CUSPARSE_CHECK(call) check((call), #call)

class Handle {
 public:
    explicit Handle(cudaStream_t stream) {
        CUSPARSE_CHECK(cusparseCreate(&handle_));
        CUSPARSE_CHECK(cusparseSetStream(handle_, stream));
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { cusparseDestroy(handle_); }
    cusparseHandle_t get() const { return handle_; }

 private:
    cusparseHandle_t handle_ = nullptr;
};

/// A vector in device memory, as cuSPARSE wants it.
class DenseVector {
 public:
    DenseVector(std::size_t n, double* data) {
        CUSPARSE_CHECK(cusparseCreateDnVec(&vector_, static_cast<std::int64_t>(n), data, CUDA_R_64F));
    }
    DenseVector(const DenseVector&) = delete;
    DenseVector& operator=(const DenseVector&) = delete;
    ~DenseVector() { cusparseDestroyDnVec(vector_); }
    cusparseDnVecDescr_t get() const { return vector_; }

 private:
    cusparseDnVecDescr_t vector_ = nullptr;
};

/// The matrix, and what cuSPARSE needs for products with it.
class Matrix {
 public:
    Matrix(const LinearSystem& system, const Handle& handle)
        : handle_(handle),
          first_(on_device(system.first)),
          column_(on_device(system.column)),
          value_(on_device(system.value)),
          scratch_(0) {
        const auto n = static_cast<std::int64_t>(system.b.size());
        CUSPARSE_CHECK(cusparseCreateCsr(&matrix_, n, n, static_cast<std::int64_t>(system.value.size()), first_.data(),
                                         column_.data(), value_.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    }
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;
    ~Matrix() { cusparseDestroySpMat(matrix_); }

    /// Lets cuSPARSE look at the matrix.
    void prepare(const DenseVector& from, const DenseVector& to) {
        std::size_t bytes = 0;
        CUSPARSE_CHECK(cusparseSpMV_bufferSize(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_,
                                               from.get(), &zero, to.get(), CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                                               &bytes));
        scratch_ = bench::DeviceBuffer<unsigned char>(std::max<std::size_t>(bytes, 1));
#if CUSPARSE_VERSION >= 12300
        CUSPARSE_CHECK(cusparseSpMV_preprocess(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_,
                                               from.get(), &zero, to.get(), CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                                               scratch_.data()));
#endif
    }

    /// Enqueues to = matrix * from.
    void multiply(const DenseVector& from, const DenseVector& to) const {
        CUSPARSE_CHECK(cusparseSpMV(handle_.get(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_, from.get(), &zero,
                                    to.get(), CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, scratch_.data()));
    }

 private:
    static constexpr double one = 1, zero = 0;
    const Handle& handle_;
    bench::DeviceBuffer<int> first_, column_;
    bench::DeviceBuffer<double> value_;
    bench::DeviceBuffer<unsigned char> scratch_;
    cusparseSpMatDescr_t matrix_ = nullptr;
};

}  // namespace peers
