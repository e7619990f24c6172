"""QuantLib: MCDiscreteArithmeticASEngine on one core of the CPU, of the option on the first asset alone."""

import math
import time

import prices
import report

quantlib = report.require("QuantLib")

PATHS = 2**14
RATE, VOLATILITY = 0.046875, 0.25


def engine_of(process, seed):
    return quantlib.MCDiscreteArithmeticASEngine(
        process, "PseudoRandom", brownianBridge=False, antitheticVariate=False, requiredSamples=PATHS, seed=seed
    )


def option_and_process():
    """The option on the first asset, whose logarithm moves by MU_A + S_AA z a day. A year of QuantLib has 365 such days."""
    calendar, start = quantlib.NullCalendar(), quantlib.Date(1, 1, 2024)
    counter, year = quantlib.Actual365Fixed(), prices.ASIAN_STEPS / 365
    quantlib.Settings.instance().evaluationDate = start
    rate, volatility = RATE / year, VOLATILITY / math.sqrt(year)
    flat = [quantlib.YieldTermStructureHandle(quantlib.FlatForward(start, value, counter)) for value in (0.0, rate)]
    vol = quantlib.BlackVolTermStructureHandle(quantlib.BlackConstantVol(start, calendar, volatility, counter))
    spot = quantlib.QuoteHandle(quantlib.SimpleQuote(prices.START))
    process = quantlib.BlackScholesMertonProcess(spot, *flat, vol)
    dates = [start + day for day in range(1, prices.ASIAN_STEPS + 1)]
    payoff, exercise = quantlib.PlainVanillaPayoff(quantlib.Option.Put, 0.0), quantlib.EuropeanExercise(dates[-1])
    option = quantlib.DiscreteAveragingAsianOption(quantlib.Average.Arithmetic, 0.0, 0, dates, payoff, exercise)
    return option, process


option, process = option_and_process()
growth = math.exp(RATE)  # the ladder does not discount


def time_launch(number):
    option.setPricingEngine(engine_of(process, 1 + number))
    start = time.perf_counter()
    mean = option.NPV() * growth
    ms = (time.perf_counter() - start) * 1e3
    variance = (option.errorEstimate() * growth) ** 2 * PATHS
    return ms, mean * PATHS, (variance + mean**2) * PATHS


FACTS = {"peer": "quantlib", "package": f"QuantLib {quantlib.__version__}", "generator": "MT19937, one asset"}
report.measure_mean(time_launch, PATHS, samples_per_launch=PATHS * prices.ASIAN_STEPS, **FACTS)
