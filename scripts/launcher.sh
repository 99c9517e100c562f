#!/bin/sh
# bin/lookout of a bundle: the program with the Node that came with it. Installed, it works on the data of the service.
here=$(dirname "$(readlink -f "$0")")
case $here in
  /opt/lookout/*) LOOKOUT_DATA=${LOOKOUT_DATA:-/var/lib/lookout} && export LOOKOUT_DATA ;;
esac
# Each of Node's threads would keep memory of its own that it has given back: 1 to 2 MiB.
MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-1} && export MALLOC_ARENA_MAX
exec "$here/node" "$here/../dist/lookout.js" "$@"
