#include "link/credential.h"
#include "base/mem.h"
#include <munge.h>
#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What to do about it. */
static const char *credential_hint(munge_err_t fault)
{
    switch (fault) {
    case EMUNGE_CRED_INVALID:
        return ": both nodes need the same MUNGE key";
    case EMUNGE_CRED_REWOUND:
        return ": the clock of the node that made it is ahead of this one's";
    case EMUNGE_CRED_EXPIRED:
        return ": the clock of the node that made it is behind this one's, or it was made too long "
               "ago";
    case EMUNGE_CRED_UNAUTHORIZED:
        return ": it is for another user than the controller's, see controller_user";
    default:
        return "";
    }
}

static void credential_fail(struct credential *credential, munge_ctx_t context, munge_err_t fault)
{
    const char *text = context ? munge_ctx_strerror(context) : NULL;
    snprintf(credential->fault, sizeof credential->fault, "MUNGE: %s%s",
             text ? text : munge_strerror(fault), credential_hint(fault));
}

static munge_err_t credential_encode(struct credential *credential, munge_ctx_t context)
{
    char *text = NULL;
    munge_err_t fault = munge_ctx_set(context, MUNGE_OPT_TTL, CREDENTIAL_TTL);
    if (fault == EMUNGE_SUCCESS)
        fault = munge_ctx_set(context, MUNGE_OPT_UID_RESTRICTION, (uid_t)credential->reader);
    if (fault == EMUNGE_SUCCESS)
        fault = munge_encode(&text, context, credential->bytes, (int)credential->size);
    if (fault == EMUNGE_SUCCESS && strlen(text) >= sizeof credential->text)
        fault = EMUNGE_BAD_LENGTH;
    if (fault == EMUNGE_SUCCESS)
        memcpy(credential->text, text, strlen(text) + 1);
    free(text);
    return fault;
}

static munge_err_t credential_decode(struct credential *credential, munge_ctx_t context)
{
    void *bytes = NULL;
    int size = 0;
    uid_t uid;
    gid_t gid;
    munge_err_t fault = munge_decode(credential->text, context, &bytes, &size, &uid, &gid);
    if (fault == EMUNGE_SUCCESS && (size < 0 || (size_t)size > sizeof credential->bytes))
        fault = EMUNGE_BAD_LENGTH;
    if (fault == EMUNGE_SUCCESS) {
        memcpy(credential->bytes, bytes, (size_t)size);
        credential->size = (size_t)size;
        credential->uid = uid;
        credential->gid = gid;
    }
    free(bytes);
    return fault;
}

/* Asks munged, in a thread. */
static void credential_work(struct credential *credential)
{
    munge_ctx_t context = munge_ctx_create();
    munge_err_t fault = context ? EMUNGE_SUCCESS : EMUNGE_NO_MEMORY;
    if (context && credential->socket[0])
        fault = munge_ctx_set(context, MUNGE_OPT_SOCKET, credential->socket);
    if (fault == EMUNGE_SUCCESS)
        fault = credential->making ? credential_encode(credential, context)
                                   : credential_decode(credential, context);
    if (fault != EMUNGE_SUCCESS)
        credential_fail(credential, context, fault);
    munge_ctx_destroy(context);
}

/* --- reading, by a thread of the loop --------------------------------------------------------- */

static void credential_on_work(uv_work_t *work)
{
    credential_work(work->data);
}

static void credential_finish(uv_work_t *work, int status)
{
    struct credential *credential = work->data;
    if (status != 0)
        snprintf(credential->fault, sizeof credential->fault, "%s", uv_strerror(status));
    credential->done(credential);
}

int credential_read(struct credential *credential, uv_loop_t *loop)
{
    credential->making = false;
    credential->work.data = credential;
    credential->fault[0] = '\0';
    return uv_queue_work(loop, &credential->work, credential_on_work, credential_finish) == 0 ? 0
                                                                                              : -1;
}

/* --- making, by a thread of its own ----------------------------------------------------------- */

/* Shared by the thread and the loop; the last of the two frees it. */
struct credential_errand {
    uv_async_t news; /* that the thread is done */
    uv_mutex_t lock;
    bool over; /* the loop needs it no longer */
    int uses;
    struct credential *wanted; /* of the loop only */
    struct credential work;    /* of the thread until it is done */
};

static void errand_release(struct credential_errand *errand)
{
    uv_mutex_lock(&errand->lock);
    bool last = --errand->uses == 0;
    uv_mutex_unlock(&errand->lock);
    if (!last)
        return;
    uv_mutex_destroy(&errand->lock);
    sodium_memzero(&errand->work, sizeof errand->work);
    free(errand);
}

static void *errand_run(void *context)
{
    struct credential_errand *errand = context;
    credential_work(&errand->work);
    uv_mutex_lock(&errand->lock);
    if (!errand->over)
        uv_async_send(&errand->news);
    uv_mutex_unlock(&errand->lock);
    errand_release(errand);
    return NULL;
}

static void errand_on_closed(uv_handle_t *handle)
{
    errand_release(handle->data);
}

/* The loop takes what is there. */
static void errand_end(struct credential_errand *errand)
{
    uv_mutex_lock(&errand->lock);
    errand->over = true;
    uv_mutex_unlock(&errand->lock);
    errand->wanted->errand = NULL;
    uv_close((uv_handle_t *)&errand->news, errand_on_closed);
}

static void errand_on_news(uv_async_t *news)
{
    struct credential_errand *errand = news->data;
    struct credential *credential = errand->wanted;
    errand_end(errand);
    memcpy(credential->text, errand->work.text, sizeof credential->text);
    memcpy(credential->fault, errand->work.fault, sizeof credential->fault);
    credential->done(credential);
}

/* A detached thread that no signal reaches. 0, or another number. */
static int errand_start(struct credential_errand *errand)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int status = pthread_create(&thread, &attributes, errand_run, errand);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return status;
}

int credential_make(struct credential *credential, uv_loop_t *loop)
{
    struct credential_errand *errand = mem_alloc(1, sizeof *errand);
    credential->making = true;
    credential->fault[0] = '\0';
    if (!errand)
        return -1;
    *errand = (struct credential_errand){.uses = 2, .wanted = credential, .work = *credential};
    if (uv_mutex_init(&errand->lock) != 0 ||
        uv_async_init(loop, &errand->news, errand_on_news) != 0) {
        free(errand);
        return -1;
    }
    errand->news.data = errand;
    credential->errand = errand;
    if (errand_start(errand) == 0)
        return 0;
    errand_release(errand);
    errand_end(errand);
    return -1;
}

bool credential_is_pending(const struct credential *credential)
{
    return credential->errand;
}

bool credential_abandon(struct credential *credential)
{
    if (!credential->errand)
        return false;
    errand_end(credential->errand);
    return true;
}
