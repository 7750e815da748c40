"""Adds a header to every request to a model, for a proxy that counts by project.

pisces modules test request_headers.py --event 'before_provider_headers={"headers": {}}'
"""

import os

from pisces.events import BeforeProviderHeaders


def extension(pisces):
    @pisces.on(BeforeProviderHeaders)
    def add(event):
        return event.replace(headers={**event.headers, "X-Project": os.path.basename(pisces.cwd)})
