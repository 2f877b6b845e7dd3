/* sim_members.h - the pointers that a kernel's parameter, a structure, has for members, and what they point to:
 *
 *     sim_members<struct pass>::__found    {{0, 8, 8}, {8, 8, 8}, {0, 0, 0}}
 *
 * C++17 has no list of a type's members, but names for them all at once, where one knows how many there are. So
 * many values of any type make a structure, and no more. Known are structures of at most eight members, each a
 * number or a pointer; for others, and where members do not lie as numbers would, the list is empty. */
#ifndef SIM_MEMBERS_H
#define SIM_MEMBERS_H

template <bool> struct sim_truth {
    static constexpr bool __is = false;
};
template <> struct sim_truth<true> {
    static constexpr bool __is = true;
    using __yes = void;
};

/* A value of any type but S; and of any that is no number and no pointer. */
template <typename __S> struct sim_any {
    template <typename __U, typename __Is = typename sim_truth<!__is_same(__U, __S)>::__yes>
    operator __U() const;
};
template <typename __S> struct sim_any_class {
    template <typename __U,
              typename __Is = typename sim_truth<!__is_same(__U, __S) &&
                                                 (__is_class(__U) || __is_union(__U))>::__yes>
    operator __U() const;
};

/* Whether values of these types make an S, and whether they do before an array. */
template <typename __S, typename... __A>
auto sim_makes(int) -> decltype((void)__S{__A()...}, sim_truth<true>());
template <typename __S, typename... __A> sim_truth<false> sim_makes(long);
template <typename __S, typename... __A>
auto sim_makes_before_array(int)
    -> decltype((void)__S{__A()..., {sim_any<__S>(), sim_any<__S>()}}, sim_truth<true>());
template <typename __S, typename... __A> sim_truth<false> sim_makes_before_array(long);

enum { SIM_MEMBERS = 8 };

/* How many members S has; 0 when one is no number and no pointer, or there are more. */
template <typename __S, typename... __A> constexpr size_t sim_count_members()
{
    if constexpr (!decltype(sim_makes<__S, __A..., sim_any<__S>>(0))::__is)
        return sizeof...(__A);
    else if constexpr (sizeof...(__A) == SIM_MEMBERS ||
                       decltype(sim_makes<__S, __A..., sim_any_class<__S>>(0))::__is ||
                       decltype(sim_makes_before_array<__S, __A...>(0))::__is)
        return 0;
    else
        return sim_count_members<__S, __A..., sim_any<__S>>();
}

struct sim_member_list {
    struct sim_member __list[SIM_MEMBERS + 1]; /* and one without bytes at the end */
};

/* Of members of the types M, one behind the other, the pointers. */
template <typename __S, typename... __M> constexpr sim_member_list sim_list_members()
{
    sim_member_list __found = {};
    size_t __end = 0, __count = 0;
    const auto __add = [&](size_t __bytes, size_t __alignment, size_t __element, size_t __known) {
        __end = (__end + __alignment - 1) / __alignment * __alignment;
        if (__element && __known)
            __found.__list[__count++] = {__end, __element, __known};
        __end += __bytes;
    };
    (__add(sizeof(__M), alignof(__M), sim_pointee<sim_parameter<__M>>::__bytes,
           sim_pointee<sim_parameter<__M>>::__alignment),
     ...);
    __end = (__end + alignof(__S) - 1) / alignof(__S) * alignof(__S);
    return __end == sizeof(__S) ? __found : sim_member_list();
}

/* Of the types of all members, which their names tell. */
template <typename... __M> struct sim_types {
    template <typename __S> static constexpr sim_member_list __of = sim_list_members<__S, __M...>();
};
template <typename... __M> sim_types<__M...> sim_types_of(const __M &...);
template <typename __S, size_t __N> struct sim_members_of {
    static constexpr sim_member_list __found = {};
};
#define SIM_MEMBERS_OF(number, ...)                                                                \
    template <typename __S> struct sim_members_of<__S, number> {                                   \
        static auto __types(__S &__s)                                                              \
        {                                                                                          \
            auto &[__VA_ARGS__] = __s;                                                             \
            return sim_types_of(__VA_ARGS__);                                                      \
        }                                                                                          \
        static constexpr sim_member_list __found =                                                 \
            decltype(__types(*(__S *)nullptr))::template __of<__S>;                                \
    };
SIM_MEMBERS_OF(1, __a)
SIM_MEMBERS_OF(2, __a, __b)
SIM_MEMBERS_OF(3, __a, __b, __c)
SIM_MEMBERS_OF(4, __a, __b, __c, __d)
SIM_MEMBERS_OF(5, __a, __b, __c, __d, __e)
SIM_MEMBERS_OF(6, __a, __b, __c, __d, __e, __f)
SIM_MEMBERS_OF(7, __a, __b, __c, __d, __e, __f, __g)
SIM_MEMBERS_OF(8, __a, __b, __c, __d, __e, __f, __g, __h)
#undef SIM_MEMBERS_OF

/* One list for all that have none. */
inline constexpr sim_member_list sim_no_members = {};
template <typename __T, bool = __is_class(__T) && __is_aggregate(__T)> struct sim_members {
    static constexpr const sim_member_list &__found = sim_no_members;
};
template <typename __T> struct sim_members<__T, true> {
    static constexpr const sim_member_list &__found =
        sim_members_of<__T, sim_count_members<__T>()>::__found;
};

#endif
