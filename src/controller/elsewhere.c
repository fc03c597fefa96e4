/* What an application loses on other stores. Each store has a controller, which hears of the I/Os
 * there alone; at the end of one, the controllers of the others hear what was lost, so that the
 * yield that their strategies see is that of the application, as in a simulation. */
#include "base/maths.h"
#include "controller/controller.h"
#include <string.h>

/* The same application in the controller of another store, or NULL. */
static struct application *elsewhere_find(const struct controller *other,
                                          const struct application *app)
{
    const struct user *user = users_find(&other->users, app->uid);
    for (struct application *same = user ? user->first : NULL; same; same = same->of_user)
        if (memcmp(same->token, app->token, sizeof same->token) == 0)
            return same;
    return NULL;
}

void elsewhere_join(struct controller *controller, struct application *app)
{
    for (struct controller *other = controller->next_store; other && other != controller;
         other = other->next_store) {
        const struct application *same = elsewhere_find(other, app);
        if (!same)
            continue;
        app->elsewhere += same->told;
        double earlier = app->facts.release - same->facts.release;
        if (earlier > 0) { /* it has been there for longer: here that is work */
            app->facts.release -= earlier;
            app->worked += earlier;
        }
    }
}

void elsewhere_tell(struct controller *controller, double now, struct application *app)
{
    double more = application_lost(app, now) - app->told;
    app->told += more;
    for (struct controller *other = controller->next_store; other && other != controller;
         other = other->next_store) {
        struct application *same = elsewhere_find(other, app);
        if (!same)
            continue;
        same->elsewhere = maths_max(0, same->elsewhere + more);
        /* One with an I/O there too: its next report says so. */
        if (!control_active(other->control, same->id))
            control_amend(other->control, same->id,
                          application_lost(same, now) + same->elsewhere);
    }
}
