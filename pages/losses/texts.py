"""The texts of "Losses": what the properties mean, and how to choose a loss."""

from __future__ import annotations

from typing import Final

PROPERTIES_TEXT: Final = (
    "Each property can be read off numbers. The estimate is off by {error:.0%}, above and below the true prevalence: the same "
    "cost is **IMP**. The same error at a true prevalence of 50%: the same cost is **ABS**, a lower one **REL**. The largest "
    "loss that is possible, here and at 50%: the same is **MAX**. *Try: drag the truth; which columns move?* A mark is what "
    "the numbers say here; a property must hold at every prevalence."
)

CHOICE_TEXT: Final = """
- **An error of 5 points is an error of 5 points**, whatever the prevalence: take a loss with ABS, **AE** or **SE**. SE weighs
  large errors more. Most papers report AE.
- **An error of 5 points is worse where 1% are true than where 50% are**: take a loss with REL, **RAE**. It is undefined
  where a class is absent, so that it is smoothed, and its value then depends on the sample size.
- **You average over samples of very different prevalences** and want each to count alike: take a loss with MAX, **NAE** or
  **NRAE**. No loss has MAX and one of ABS and REL.
- **You compare with papers that report KLD**: it is not impartial, has no largest value, and is hard to read. NKLD has one.
- **You want to know the direction**: the **bias**, which has a sign. Its mean can be 0 where no estimate is right.

Sebastiani (2020) holds that ABS or REL matters more than MAX, since it says what an error means to whoever uses the estimate;
without MAX, only methods on the same samples can be compared.

:small[Sources: Marufo 2023, 4.1 to 4.3; Sebastiani 2020.]
"""
