import { noCompiler, sharedLibrary } from './shared-library.ts'

/**
 * Stands between the program and the disk and writes down, in the order in which they happened, the calls that change what is
 * below RECORD_ROOT: into RECORD_LOG, each with its bytes. What goes to RECORD_MARKS is taken down as a mark of that order: it is
 * not on the disk that loses its power. One lock over the call and its line, so that the order is true of several processes.
 */
const SHIM = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
static int log_fd = -1;
static const char *root, *marks;
static size_t root_length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct head { uint32_t magic, op, path, other, data, pad; uint64_t inode; int64_t at; };
static void reopen(void) {
  const char *at = getenv("RECORD_LOG");
  root = getenv("RECORD_ROOT");
  marks = getenv("RECORD_MARKS");
  if (at == NULL || root == NULL) return;
  root_length = strlen(root);
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  log_fd = real_open(at, O_WRONLY | O_APPEND | O_CLOEXEC);
}
/* Between fork and exec nothing is written down: another thread may hold the lock for ever there. */
static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }
static void in_child(void) { pthread_mutex_init(&lock, NULL); log_fd = -1; }
__attribute__((constructor)) static void begin(void) { reopen(); pthread_atfork(before_fork, after_fork, in_child); }
static void take(void) { pthread_mutex_lock(&lock); if (log_fd >= 0) flock(log_fd, LOCK_EX); }
static void give(void) { if (log_fd >= 0) flock(log_fd, LOCK_UN); pthread_mutex_unlock(&lock); }
static void put(char op, uint64_t inode, int64_t at, const char *path, const char *other, const void *data, size_t length) {
  struct head head = { 0x4c4f4b31, (uint32_t)op, path ? strlen(path) : 0, other ? strlen(other) : 0, length, 0, inode, at };
  struct iovec all[4] = { { &head, sizeof head }, { (void *)path, head.path }, { (void *)other, head.other }, { (void *)data, length } };
  ssize_t (*real_writev)(int, const struct iovec *, int) = dlsym(RTLD_NEXT, "writev");
  if (log_fd >= 0 && real_writev(log_fd, all, 4) < 0) abort();
}
static const char *below(const char *path, char *whole) {
  if (log_fd < 0 || path == NULL) return NULL;
  if (path[0] == '/') snprintf(whole, 4096, "%s", path);
  else { char cwd[2048]; if (getcwd(cwd, sizeof cwd) == NULL) return NULL; snprintf(whole, 4096, "%s/%s", cwd, path); }
  if (strncmp(whole, root, root_length) != 0 || (whole[root_length] != '/' && whole[root_length] != 0)) return NULL;
  return whole[root_length] == '/' ? whole + root_length + 1 : "";
}
/* 0: not ours, 1: a file of the root, 2: the file of marks */
static int of(int fd, char *path, uint64_t *inode) {
  char link[64], name[4096];
  struct stat st;
  if (log_fd < 0 || fd == log_fd) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, name, sizeof name - 1);
  if (length <= 0) return 0;
  name[length] = 0;
  if (marks != NULL && strcmp(name, marks) == 0) return 2;
  if (strncmp(name, root, root_length) != 0 || (name[root_length] != '/' && name[root_length] != 0)) return 0;
  /* Sixteen mebibytes of nothing, which nobody reads. */
  if (strcmp(name + root_length, "/reserve.bin") == 0 || fstat(fd, &st) != 0) return 0;
  *inode = st.st_ino;
  snprintf(path, 4096, "%s", name[root_length] == '/' ? name + root_length + 1 : "");
  return 1;
}
static void wrote(int fd, const void *data, ssize_t n, int64_t at) {
  char path[4096];
  uint64_t inode = 0;
  int kind = n > 0 ? of(fd, path, &inode) : 0;
  if (kind == 2) put('M', 0, 0, NULL, NULL, data, n);
  if (kind == 1) put('w', inode, at < 0 ? lseek(fd, 0, SEEK_CUR) - n : at, path, NULL, data, n);
}
ssize_t write(int fd, const void *b, size_t n) { REAL(write); take(); ssize_t r = real(fd, b, n); int e = errno; wrote(fd, b, r, -1); give(); errno = e; return r; }
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { REAL(pwrite); take(); ssize_t r = real(fd, b, n, o); int e = errno; wrote(fd, b, r, o); give(); errno = e; return r; }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { REAL(pwrite64); take(); ssize_t r = real(fd, b, n, o); int e = errno; wrote(fd, b, r, o); give(); errno = e; return r; }
static void wrote_parts(int fd, const struct iovec *v, int c, ssize_t r, int64_t at) {
  ssize_t left = r;
  int64_t to = at < 0 && r > 0 ? lseek(fd, 0, SEEK_CUR) - r : at;
  for (int i = 0; i < c && left > 0; i++) { ssize_t n = left < (ssize_t)v[i].iov_len ? left : (ssize_t)v[i].iov_len; wrote(fd, v[i].iov_base, n, to < 0 ? 0 : to); to += n; left -= n; }
}
ssize_t writev(int fd, const struct iovec *v, int c) { REAL(writev); take(); ssize_t r = real(fd, v, c); int e = errno; wrote_parts(fd, v, c, r, -1); give(); errno = e; return r; }
ssize_t pwritev(int fd, const struct iovec *v, int c, off_t o) { REAL(pwritev); take(); ssize_t r = real(fd, v, c, o); int e = errno; wrote_parts(fd, v, c, r, o); give(); errno = e; return r; }
ssize_t pwritev64(int fd, const struct iovec *v, int c, off64_t o) { REAL(pwritev64); take(); ssize_t r = real(fd, v, c, o); int e = errno; wrote_parts(fd, v, c, r, o); give(); errno = e; return r; }
/* Copies within the kernel would not be seen: whoever asks copies by hand then. */
ssize_t copy_file_range(int a, off64_t *x, int b, off64_t *y, size_t n, unsigned f) { errno = ENOSYS; return -1; }
ssize_t sendfile(int a, int b, off_t *x, size_t n) { errno = EINVAL; return -1; }
ssize_t sendfile64(int a, int b, off64_t *x, size_t n) { errno = EINVAL; return -1; }
static void synced(int fd) { char path[4096]; uint64_t inode; if (of(fd, path, &inode) == 1) put('s', inode, 0, path, NULL, NULL, 0); }
int fsync(int fd) { REAL(fsync); take(); int r = real(fd); int e = errno; if (r == 0) synced(fd); give(); errno = e; return r; }
int fdatasync(int fd) { REAL(fdatasync); take(); int r = real(fd); int e = errno; if (r == 0) synced(fd); give(); errno = e; return r; }
static void cut(int fd, int64_t n) { char path[4096]; uint64_t inode; if (of(fd, path, &inode) == 1) put('t', inode, n, path, NULL, NULL, 0); }
int ftruncate(int fd, off_t n) { REAL(ftruncate); take(); int r = real(fd, n); int e = errno; if (r == 0) cut(fd, n); give(); errno = e; return r; }
int ftruncate64(int fd, off64_t n) { REAL(ftruncate64); take(); int r = real(fd, n); int e = errno; if (r == 0) cut(fd, n); give(); errno = e; return r; }
static int grew(int fd, off64_t o, off64_t n, int r) { struct stat st; if (r == 0 && fstat(fd, &st) == 0) cut(fd, st.st_size); return r; }
int posix_fallocate(int fd, off_t o, off_t n) { REAL(posix_fallocate); take(); int r = grew(fd, o, n, real(fd, o, n)); give(); return r; }
int posix_fallocate64(int fd, off64_t o, off64_t n) { REAL(posix_fallocate64); take(); int r = grew(fd, o, n, real(fd, o, n)); give(); return r; }
static void opened(int fd, const char *p, int f, int was) {
  char whole[4096]; struct stat st;
  const char *name = below(p, whole);
  if (fd < 0 || name == NULL || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return;
  if ((f & O_CREAT) && !was) put('c', st.st_ino, 0, name, NULL, NULL, 0);
  else if (f & O_TRUNC) put('t', st.st_ino, 0, name, NULL, NULL, 0);
}
#define OPEN(name) int name(const char *p, int f, ...) { \\
  va_list list; va_start(list, f); int mode = va_arg(list, int); va_end(list); \\
  REAL(name); struct stat st; \\
  if (!(f & (O_CREAT | O_TRUNC)) || log_fd < 0) return real(p, f, mode); \\
  take(); int was = stat(p, &st) == 0; int r = real(p, f, mode); int e = errno; opened(r, p, f, was); give(); errno = e; return r; }
OPEN(open)
OPEN(open64)
static void moved(char op, const char *a, const char *b) {
  char from[4096], to[4096]; struct stat st;
  const char *x = below(a, from), *y = below(b, to);
  if ((x != NULL || y != NULL) && stat(b, &st) == 0) put(op, st.st_ino, 0, x ? x : "", y ? y : "", NULL, 0);
}
int rename(const char *a, const char *b) { REAL(rename); take(); int r = real(a, b); int e = errno; if (r == 0) moved('r', a, b); give(); errno = e; return r; }
int link(const char *a, const char *b) { REAL(link); take(); int r = real(a, b); int e = errno; if (r == 0) moved('l', a, b); give(); errno = e; return r; }
static int one(char op, const char *p, int r) { char whole[4096]; int e = errno; const char *name = below(p, whole); struct stat st;
  if (r == 0 && name != NULL) put(op, op == 'd' && stat(p, &st) == 0 ? st.st_ino : 0, 0, name, NULL, NULL, 0); errno = e; return r; }
int unlink(const char *p) { REAL(unlink); take(); int r = one('u', p, real(p)); give(); return r; }
int rmdir(const char *p) { REAL(rmdir); take(); int r = one('u', p, real(p)); give(); return r; }
int mkdir(const char *p, mode_t m) { REAL(mkdir); take(); int r = one('d', p, real(p, m)); give(); return r; }
char *mkdtemp(char *p) { REAL(mkdtemp); take(); char *r = real(p); if (r != NULL) one('d', r, 0); give(); return r; }
`

export const noRecorder = noCompiler

/** Builds it; answers the library for `LD_PRELOAD`, in a folder of its own. */
export const buildRecorder = (): { folder: string; library: string } => sharedLibrary(SHIM)
