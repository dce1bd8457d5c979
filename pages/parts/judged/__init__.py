"""The parts of the page "Classifier": ROC and costs, the confusion matrix, calibration, more than two classes."""
