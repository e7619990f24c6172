"""The idle power of a GPU, by nvidia-smi."""

import statistics
import subprocess
import time

from suite.processes import ProgramError, gpu_of


def idle_power_w(path, complain):
    """Idle power of the GPU that a program would run on, in watts: the median of readings over a second.

    None without nvidia-smi, if the GPU is busy, and if the GPU is a slice of a board (MIG), because only the whole
    board has a meter.
    """
    fields = "mig.mode.current,power.draw,utilization.gpu"
    try:
        gpu, _ = gpu_of(path)
        query = ["nvidia-smi", "-i", gpu, f"--query-gpu={fields}", "--format=csv,noheader,nounits"]
        readings = [reading(query) for _ in range(5)]
    except (ProgramError, OSError, ValueError, subprocess.SubprocessError):
        return None
    if any(busy for _, busy in readings):
        complain(0, "idle power not measured: the GPU is busy")
        return None
    return statistics.median(power for power, _ in readings)


def reading(query):
    """Power in watts and utilisation in percent."""
    time.sleep(0.2)
    answer = subprocess.run(query, capture_output=True, text=True, timeout=10, check=True).stdout
    mig, power, busy = answer.split(",")
    if mig.strip() == "Enabled" or not 0 < float(power) < float("inf"):
        raise ValueError("the power of the whole board, or none")
    return float(power), float(busy)
