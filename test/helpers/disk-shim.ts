import { noCompiler, sharedLibrary } from './shared-library.ts'

/**
 * Stands between the program and the disk: while FAULT_FILE holds a name of an error, writes below FAULT_ROOT fail with it; `EIO:sync`
 * and `EIO:write` are of one kind of call only.
 */
const SHIM = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int fault(const char *op) {
  const char *at = getenv("FAULT_FILE");
  char name[16] = {0};
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  if (at == NULL) return 0;
  int file = real_open(at, O_RDONLY);
  if (file < 0) return 0;
  ssize_t got = read(file, name, sizeof name - 1);
  close(file);
  if (got <= 0) return 0;
  char *only = strchr(name, ':');
  if (only != NULL && op != NULL && strncmp(only + 1, op, strlen(op)) != 0) return 0;
  if (only != NULL && op == NULL) return 0;
  if (strncmp(name, "EIO", 3) == 0) return EIO;
  if (strncmp(name, "EROFS", 5) == 0) return EROFS;
  if (strncmp(name, "ENOSPC", 6) == 0) return ENOSPC;
  return 0;
}
static int concerns(int fd) {
  char link[64], path[4096];
  const char *root = getenv("FAULT_ROOT");
  if (root == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strncmp(path, root, strlen(root)) == 0;
}
#define FAILS(fd, op) do { if (concerns(fd)) { int error = fault(op); if (error) { errno = error; return -1; } } } while (0)
#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
ssize_t write(int fd, const void *b, size_t n) { REAL(write); FAILS(fd, "write"); return real(fd, b, n); }
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { REAL(pwrite); FAILS(fd, "write"); return real(fd, b, n, o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { REAL(pwrite64); FAILS(fd, "write"); return real(fd, b, n, o); }
int fsync(int fd) { REAL(fsync); FAILS(fd, "sync"); return real(fd); }
int fdatasync(int fd) { REAL(fdatasync); FAILS(fd, "sync"); return real(fd); }
int ftruncate(int fd, off_t n) { REAL(ftruncate); FAILS(fd, "write"); return real(fd, n); }
int ftruncate64(int fd, off64_t n) { REAL(ftruncate64); FAILS(fd, "write"); return real(fd, n); }
static int opens(const char *p, int f) {
  const char *root = getenv("FAULT_ROOT");
  return root != NULL && (f & (O_WRONLY | O_RDWR | O_CREAT)) != 0 && strncmp(p, root, strlen(root)) == 0 && fault(NULL) == EROFS;
}
#define OPEN(name) int name(const char *p, int f, ...) { \\
  va_list list; va_start(list, f); int mode = va_arg(list, int); va_end(list); \\
  REAL(name); \\
  if (opens(p, f)) { errno = EROFS; return -1; } return real(p, f, mode); }
OPEN(open)
OPEN(open64)
int access(const char *p, int m) {
  REAL(access);
  const char *root = getenv("FAULT_ROOT");
  if ((m & W_OK) && root != NULL && strncmp(p, root, strlen(root)) == 0 && fault(NULL) == EROFS) { errno = EROFS; return -1; }
  return real(p, m);
}
`

/** The reason why no disk can be made to fail here; null when one can. */
export const noShim = noCompiler

/** Builds it; answers the library for `LD_PRELOAD`, in a folder of its own. */
export const buildShim = (): { folder: string; library: string } => sharedLibrary(SHIM)
