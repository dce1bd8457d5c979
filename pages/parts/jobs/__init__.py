"""Heavy work in processes of its own: a queue in turns, progress to show, an end when nobody waits for the answer any more."""

from pages.parts.jobs.job import Job, JobFailed, Work
from pages.parts.jobs.pool import JobPool
from pages.parts.jobs.queue import QueueIsFull

__all__ = ["Job", "JobFailed", "JobPool", "QueueIsFull", "Work"]
