"""The words of the form in which a teacher asks a question of their own, in each language of the lessons."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pages.learn.argument import BATCHES, BESIDE_CC, COUNTED_OR_CORRECTED, FACTOR, LOSS, LOSSES, QUANTIFIER, WIDTH
from pages.learn.checks import CHECKS
from pages.learn.curves import CURVES

_ENGLISH: Final = {
    "kind": "Question",
    "prompt": "What you say or ask",
    "options": "Answers, one on each line; a * before the right one",
    "answer": "Answer, and how far one may be off",
    "check": "What is to be found",
    "curve": "Which curve",
    "argument": "What it is about: {what}",
    "hidden_parts": "Hidden until you show the answer",
    "show": "Show the classroom this view",
    "no_text": "A question has a text that asks.",
    "no_options": "A choice has two answers or more, each on a line, and a * before the right one.",
    "no_answer": "Type the answer and how far one may be off, such as 30% ± 5%.",
}
_SPANISH: Final = {
    "kind": "Pregunta",
    "prompt": "Lo que dices o preguntas",
    "options": "Respuestas, una en cada línea; un * delante de la correcta",
    "answer": "Respuesta, y cuánto puede desviarse",
    "check": "Qué hay que encontrar",
    "curve": "Qué curva",
    "argument": "De qué trata: {what}",
    "hidden_parts": "Oculto hasta que muestres la respuesta",
    "show": "Mostrar esta vista al aula",
    "no_text": "Una pregunta necesita un texto que pregunte.",
    "no_options": "Una elección tiene dos respuestas o más, cada una en una línea, y un * delante de la correcta.",
    "no_answer": "Escribe la respuesta y cuánto puede desviarse; por ejemplo, 30% ± 5%.",
}
OWN_QUESTION_LABELS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({"en": _ENGLISH, "es": _SPANISH})
"""Language -> name of a text of the form -> the text."""

_SPANISH_CHOICES: Final = {
    "no question": "ninguna",
    "choice": "elegir",
    "number": "número",
    "find": "encontrar",
    "draw": "dibujar",
    "headline": "titular",
    "picture": "figura",
    "notes": "notas",
    "examples": "ejemplos",
    "section": "sección",
    "counting-is-right": "la proporción verdadera de los 3 en la que la media del conteo es la verdad",
    "counting-is-right-here": "la prevalencia en la que el conteo esperado en el umbral es la verdad, p*",
    "least-scatter": "un umbral en el que la estimación corregida se dispersa menos",
    "equal-errors": "el umbral de la política X: fpr = 1 - tpr",
    "largest-difference": "el umbral de la política Max: tpr - fpr es máxima",
    "half-of-the-positives": "el umbral de la política T50: tpr = 1/2",
    "errors-multiplied": "un umbral en el que la corrección multiplica los errores del conteo al menos tantas veces",
    "most-accurate-threshold": "un umbral con la exactitud más alta en las puntuaciones mostradas",
    "first-size-that-pays": "el menor tamaño de muestra en el que la pérdida de un cuantificador, promediada sobre las "
    "prevalencias, es menor que la de CC",
    "losses-disagree": "una prevalencia verdadera en la que dos pérdidas prefieren estimaciones distintas",
    "losses-agree": "una prevalencia verdadera en la que varias pérdidas prefieren la misma estimación",
    "correction-errs-more": "una intensidad del cambio en los datos en la que un método se equivoca más que el conteo; debe "
    "estar abierta la sección When it breaks",
    "interval-within": "un tamaño de muestra en el que el intervalo de AC es como mucho así de ancho, y no mucho más estrecho",
    "move-seen-within": "en una proporción en el tiempo, una proporción posterior cuyo cambio se ve en tantos lotes como mucho",
    "mean-estimate-at-home": "la estimación media de CC o AC según la proporción verdadera de los 3",
    "estimate-by-prevalence": "la estimación media de un cuantificador según la prevalencia verdadera",
    "loss-by-prevalence": "la pérdida media de un cuantificador según la prevalencia verdadera",
    "scatter-by-threshold": "la dispersión de la estimación corregida según el umbral",
    "loss-by-size": "la pérdida media de un cuantificador, sobre todas las prevalencias, según el tamaño de la muestra",
    "loss-by-estimate": "una pérdida de cada estimación con la prevalencia verdadera, como parte de la máxima",
    "accuracy-by-prevalence": "la exactitud en el umbral según la proporción de positivos",
    FACTOR.what: "un número mayor que 1, por ejemplo 3",
    BATCHES.what: "un número de lotes, por ejemplo 10",
    WIDTH.what: "una anchura entre 0 y 1, por ejemplo 0.2",
    COUNTED_OR_CORRECTED.what: "CC o AC",
    QUANTIFIER.what: "un cuantificador que muestra la vista",
    BESIDE_CC.what: "un cuantificador que muestra la vista junto a CC",
    LOSS.what: "una pérdida que muestra la vista",
    LOSSES.what: "dos o más pérdidas que muestra la vista",
}
_ENGLISH_CHOICES: Final = {**{key: one.what for key, one in CHECKS.items()}, **{key: one.what for key, one in CURVES.items()}}
OWN_QUESTION_CHOICES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {"en": _ENGLISH_CHOICES, "es": _SPANISH_CHOICES}
)
"""Language -> what a kind of question, a hidden part, a check, a curve or what it is about is called; else by its key."""
