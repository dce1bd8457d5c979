"""The words around a classroom, in each language of the lessons."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_ENGLISH: Final = {
    "classroom": "Classroom",
    "about": "Take people through a lesson or any view, each on an own device: all see the step that you are at, and you see "
    "what they answer. Nobody gives a name.",
    "begin": "Open a classroom",
    "code": "Code of a classroom",
    "join": "Join",
    "no_code": "A code has six letters and digits, such as K7MQ2X.",
    "waiting": "Your teacher shows nothing yet. This page follows by itself.",
    "follow": "Follow the teacher",
    "leave_classroom": "Leave the classroom",
    "send": "Send",
    "sent": "Sent. You can change your answer until your teacher closes the question.",
    "closed": "Closed: no more answers are taken.",
    "failed": "Not sent: the server did not answer. Try again.",
    "full": "The classroom is full.",
    "hidden": "Hidden until your teacher shows the answer.",
    "checked": "Sent. Move on and check again to change your answer, until your teacher closes the question.",
    "lost": "The connection is lost; this page tries again.",
    "present": "{present} present",
    "answered": "{answered} answered",
    "close": "Close answers",
    "open": "Take answers",
    "reveal": "Show the answer",
    "again": "Ask again",
    "show_code": "Show code",
    "hide_code": "Close",
    "hide_answers": "Hide answers",
    "show_answers": "Show answers",
    "start": "Choose a lesson, or ask about any view: the classroom follows.",
    "no_answers": "No answers yet.",
    "answers": "Answers",
    "correct": "right",
    "not_correct": "not right",
    "unclear": "{n} not a number",
    "here_only": "This app listens on this machine alone, so that nobody else can join. Start it for others: "
    "make serve ADDRESS=0.0.0.0 (docs/hosting.md).",
}
_SPANISH: Final = {
    "classroom": "Aula",
    "about": "Lleva a un grupo por una lección o por cualquier vista, cada cual en su dispositivo: todos ven el paso en el que "
    "estás, y tú ves lo que responden. Nadie da su nombre.",
    "begin": "Abrir un aula",
    "code": "Código de un aula",
    "join": "Entrar",
    "no_code": "Un código tiene seis letras y cifras, por ejemplo K7MQ2X.",
    "waiting": "Tu docente aún no muestra nada. Esta página le sigue sola.",
    "follow": "Seguir al docente",
    "leave_classroom": "Salir del aula",
    "send": "Enviar",
    "sent": "Enviado. Puedes cambiar tu respuesta hasta que tu docente cierre la pregunta.",
    "closed": "Cerrada: ya no se aceptan respuestas.",
    "failed": "No enviado: el servidor no respondió. Inténtalo de nuevo.",
    "full": "El aula está llena.",
    "hidden": "Oculto hasta que tu docente muestre la respuesta.",
    "checked": "Enviado. Mueve y comprueba otra vez para cambiar tu respuesta, hasta que tu docente cierre la pregunta.",
    "lost": "Se perdió la conexión; esta página lo intenta de nuevo.",
    "present": "{present} presentes",
    "answered": "{answered} respuestas",
    "close": "Cerrar respuestas",
    "open": "Aceptar respuestas",
    "reveal": "Mostrar la respuesta",
    "again": "Preguntar otra vez",
    "show_code": "Mostrar código",
    "hide_code": "Cerrar",
    "hide_answers": "Ocultar respuestas",
    "show_answers": "Mostrar respuestas",
    "start": "Elige una lección, o pregunta sobre cualquier vista: el aula te sigue.",
    "no_answers": "Aún no hay respuestas.",
    "answers": "Respuestas",
    "correct": "correctas",
    "not_correct": "no correctas",
    "unclear": "{n} sin número",
    "here_only": "Esta aplicación solo escucha en esta máquina, así que nadie más puede entrar. Iníciala para otros: "
    "make serve ADDRESS=0.0.0.0 (docs/hosting.md).",
}
CLASSROOM_LABELS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({"en": _ENGLISH, "es": _SPANISH})
"""Language -> name of a text -> the text, with places in braces."""
