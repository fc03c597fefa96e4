/* AddressSanitizer insists on being the first library of a process. It may be second, as the hooks
 * pass on to it; and it takes the options that this function returns, unless the program has the
 * function itself. So no variable of the environment has to tell it. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "verify_asan_link_order=0";
}
