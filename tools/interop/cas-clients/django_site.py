"""A site with django-casclient (Debian: python3-django-casclient), set up as its README says."""
import os
import sys
from urllib.parse import urlsplit
from wsgiref.simple_server import make_server

import django
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.http import JsonResponse
from django.urls import path

base, cas, folder = sys.argv[1:]
settings.configure(
    SECRET_KEY=os.urandom(16).hex(),
    ALLOWED_HOSTS=["localhost"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(folder, "django.sqlite")}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "cas"],
    MIDDLEWARE=[
        # Sends Referrer-Policy: same-origin, as every new Django project does.
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "cas.middleware.CASMiddleware",
    ],
    AUTHENTICATION_BACKENDS=["django.contrib.auth.backends.ModelBackend", "cas.backends.CASBackend"],
    LOGIN_URL="/accounts/login/",
    CAS_SERVER_URL=cas + "/",
    CAS_VERSION="3",
    CAS_RESPONSE_CALLBACKS=["__main__.remember"],
)
django.setup()

from cas.views import login, logout  # noqa: E402, needs the settings

attributes = {}


def remember(tree):
    """What the answer of the validation says besides the user."""
    found = tree[0].find("{http://www.yale.edu/tp/cas}attributes")
    attributes.update({one.tag.split("}")[1]: one.text for one in found} if found is not None else {})


@login_required
def home(request):
    return JsonResponse({"user": request.user.username, "attributes": attributes})


urlpatterns = [
    path("", home),
    path("accounts/login/", login, name="login"),
    path("accounts/logout/", logout, name="logout"),
]
call_command("migrate", verbosity=0)
make_server("127.0.0.1", urlsplit(base).port, get_wsgi_application()).serve_forever()
