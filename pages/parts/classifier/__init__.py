"""The parts of the page "Classifier": costs and ROC curve, confusion matrix, calibration, pairs of classes."""
