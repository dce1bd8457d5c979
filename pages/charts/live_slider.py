"""A slider that the page follows while it is dragged: the server answers one value after the other, as fast as it can.

Streamlit's own slider sends its value on release only.
"""

from streamlit.delta_generator import DeltaGenerator

from pages.charts.drag_bar import drag_bar
from pages.settings.current import current
from pages.settings.setting import Setting


def live_slider(part: DeltaGenerator, setting: Setting) -> float:
    """Draw into `part` a slider for a setting that is a number; returns its value, an int if the setting is a whole number.

    Call `training_controls.type_numbers` for the setting first: its box, hidden for a percentage, ties the number to the URL.
    """
    low, high = setting.limits or (0.0, 1.0)
    is_whole = isinstance(setting.default, int)
    value = float(str(current(setting)))
    n_steps = round((high - low) / float(setting.step or 1))
    digits = 0 if is_whole else len(f"{setting.step}".partition(".")[2])
    values = {round(low + (high - low) * i / n_steps, digits) for i in range(n_steps + 1)}
    listed = sorted(values | {value})
    with part:
        drag_bar(
            setting.key, setting.label, [int(one) for one in listed] if is_whole else listed, value,
            percent=setting.is_percentage, help=setting.help, live=True,
        )  # fmt: skip
    return int(value) if is_whole else value
