"""What a verdict accepts, as the programs do."""

MAX_SIGMA = 5  # of known standard deviations
FEWEST_DEPENDENT = 16  # blocks or launches that give an error estimate where samples within one depend on each other
VARIANCE_TOLERANCE = 0.05  # of a variance over the launches, beside its limits
