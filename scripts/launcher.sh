#!/bin/sh
# bin/lookout of a bundle: the program with the Node that came with it. Installed, it works on the data of the service.
here=$(dirname "$(readlink -f "$0")")
case $here in
  /opt/lookout/*) LOOKOUT_DATA=${LOOKOUT_DATA:-/var/lib/lookout} && export LOOKOUT_DATA ;;
esac
exec "$here/node" "$here/../dist/lookout.js" "$@"
