/*
 * pthread.h - threads of a WebAssembly module that has one: locks are free, once runs once, and
 * a new thread cannot be had, so that pools work on the caller's.
 */
#ifndef DPL_WASM_PTHREAD_H
#define DPL_WASM_PTHREAD_H

#include <errno.h>
#include <sys/types.h>
#include <time.h>

/* wasi-libc declares the types in <sys/types.h>, and nothing that works with them. */
#define pthread_t int
#define pthread_mutex_t int
#define pthread_cond_t int
#define pthread_once_t int
#define pthread_attr_t int
#define pthread_mutexattr_t int
#define pthread_condattr_t int
#define pthread_rwlock_t int
#define pthread_key_t int
#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_COND_INITIALIZER 0
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_RWLOCK_INITIALIZER 0

static inline int dpl__wasm_nothing(void *object)
{
    return (void)object, 0;
}
#define pthread_mutex_init(m, a) dpl__wasm_nothing(m)
#define pthread_mutex_destroy(m) dpl__wasm_nothing(m)
#define pthread_mutex_lock(m) dpl__wasm_nothing(m)
#define pthread_mutex_trylock(m) dpl__wasm_nothing(m)
#define pthread_mutex_unlock(m) dpl__wasm_nothing(m)
#define pthread_cond_init(c, a) dpl__wasm_nothing(c)
#define pthread_cond_destroy(c) dpl__wasm_nothing(c)
#define pthread_cond_wait(c, m) dpl__wasm_nothing(c)
#define pthread_cond_timedwait(c, m, t) dpl__wasm_nothing(c)
#define pthread_cond_signal(c) dpl__wasm_nothing(c)
#define pthread_cond_broadcast(c) dpl__wasm_nothing(c)
#define pthread_condattr_init(a) dpl__wasm_nothing(a)
#define pthread_condattr_setclock(a, k) dpl__wasm_nothing(a)
#define pthread_condattr_destroy(a) dpl__wasm_nothing(a)
#define pthread_attr_init(a) dpl__wasm_nothing(a)
#define pthread_attr_setstacksize(a, n) dpl__wasm_nothing(a)
#define pthread_attr_destroy(a) dpl__wasm_nothing(a)
#define pthread_rwlock_rdlock(l) dpl__wasm_nothing(l)
#define pthread_rwlock_wrlock(l) dpl__wasm_nothing(l)
#define pthread_rwlock_unlock(l) dpl__wasm_nothing(l)
static inline int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *),
                                 void *u)
{
    return (void)t, (void)a, (void)f, (void)u, EAGAIN;
}
static inline int pthread_join(pthread_t t, void **out)
{
    return (void)t, (void)out, 0;
}
static inline pthread_t pthread_self(void)
{
    return 1;
}
static inline int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}
static inline int pthread_once(pthread_once_t *once, void (*f)(void))
{
    if (!*once) {
        *once = 1;
        f();
    }
    return 0;
}

#endif
