"""The words around a page, in the language of the lesson that it is part of: its title, its question, and the menu Share.

What is on the page itself stays English: lessons quote its terms as they stand there.
"""

import streamlit as st

_LANGUAGE = "language of the words around a page"

SPANISH = {
    "How many, not which.": "Cuántos, no cuáles.",
    "Error by prevalence": "Error según la prevalencia",
    "How wrong is each quantifier when the share of positives has moved?": "¿Cuánto se equivoca cada cuantificador cuando la "
    "proporción de positivos ha cambiado?",
    "Corrections": "Correcciones",
    "What does the correction do, and when does it explode?": "¿Qué hace la corrección y cuándo se dispara?",
    "Classifier": "Clasificador",
    "How well does it rank, what does it do at a threshold?": "¿Qué tal ordena y qué hace con cada umbral?",
    "Test size": "Tamaño de la muestra",
    "Which quantifier is best for samples of which size?": "¿Qué cuantificador es el mejor para cada tamaño de muestra?",
    "More than two classes": "Más de dos clases",
    "How well are the shares of three classes or more estimated, and where?": "¿Qué tal se estiman las proporciones de tres "
    "clases o más, y dónde?",
    "Compare": "Comparar",
    "Which quantifier is better over many data sets, and is that more than chance?": "¿Qué cuantificador es mejor en muchos "
    "conjuntos de datos, y es eso más que azar?",
    "Search space": "Espacio de búsqueda",
    "What does a measure reward, and where do learners go?": "¿Qué premia una medida y adónde van los que aprenden con ella?",
    "Losses": "Pérdidas",
    "What does a loss say of an estimate?": "¿Qué dice una pérdida de una estimación?",
    "Estimate": "Estimar",
    "What share of my sample is positive, and how sure is that?": "¿Qué proporción de mi muestra es positiva y con qué "
    "seguridad se sabe?",
    "Data sets": "Conjuntos de datos",
    "Share": "Compartir",
    "More": "Más",
    "Copy link": "Copiar el enlace",
    "Link copied": "Enlace copiado",
    "Press Ctrl+C to copy": "Pulsa Ctrl+C para copiar",
    "Save as PNG": "Guardar como PNG",
    "Save as SVG": "Guardar como SVG",
    "Save as PDF": "Guardar como PDF",
    "Print a handout": "Imprimir una hoja",
    "Interactive file": "Archivo interactivo",
    "Settings as text": "Ajustes como texto",
    "Present (P)": "Proyectar (P)",
    "Add to my talk": "Añadir a mi charla",
    "Add “{section}” to my talk": "Añadir «{section}» a mi charla",
    "Present my talk": "Proyectar mi charla",
    "My talk": "Mi charla",
    "view": "vista",
    "views": "vistas",
    "Earlier": "Antes",
    "Remove": "Quitar",
    "Copy the link to my talk": "Copiar el enlace a mi charla",
    "Save my talk as one file": "Guardar mi charla en un archivo",
    "The talk is being saved: view {number} of {total}, {title}": "Se guarda la charla: vista {number} de {total}, {title}",
    "Stop": "Parar",
    "This browser keeps the list; the link brings it to another one.": "Este navegador guarda la lista; el enlace "
    "la lleva a otro.",
    "Python that draws the picture": "Python que dibuja la imagen",
    "Show this view in another site's page": "Mostrar esta vista en la página de otro sitio",
    "QR code of this view": "Código QR de esta vista",
}
"""What the frame says in English -> in Spanish."""


def choose_words(language: str) -> None:
    """Have the frame of this run speak the language of a lesson; empty for a page that is part of none."""
    st.session_state[_LANGUAGE] = language


def said(text: str) -> str:
    """A text of the frame in the language of the lesson; English where there is none."""
    return SPANISH.get(text, text) if st.session_state.get(_LANGUAGE) == "es" else text
