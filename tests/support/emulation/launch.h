// A launch of KERNEL, the entry point whose source stands before this: for ctypes.

namespace {
template <size_t... places>
struct Places {};
template <size_t count, size_t... places>
struct Below : Below<count - 1, count - 1, places...> {};
template <size_t... places>
struct Below<0, places...> {
    using type = Places<places...>;
};

template <class... Arguments, size_t... places>
void call(void (*kernel)(Arguments...), void** given, Places<places...>) {
    kernel(*(Arguments*)given[places]...);
}

template <class... Arguments>
void call(void (*kernel)(Arguments...), void** given) {
    call(kernel, given, typename Below<sizeof...(Arguments)>::type());
}

template <class... Arguments>
bool takes(void (*)(Arguments...), const size_t* sizes, size_t count) {
    constexpr size_t own[] = {sizeof(Arguments)...};
    if (count != sizeof...(Arguments)) return false;
    for (size_t i = 0; i < count; i++)
        if (own[i] != sizes[i]) return false;
    return true;
}
}  // namespace

enum Outcome { DONE, OTHER_ARGUMENTS, WAITING };

extern "C" int launch(unsigned columns, unsigned rows, unsigned threads, char* shared, int backwards, void** given,
                      const size_t* sizes, size_t count) {
    if (!takes(KERNEL, sizes, count)) return OTHER_ARGUMENTS;
    gridDim = {columns, rows, 1};
    blockDim = {threads, 1, 1};
    fibres::shared = shared;
    fibres::arguments = given;
    fibres::body = [](void** given) { call(KERNEL, given); };
    for (unsigned y = 0; y < rows; y++)
        for (unsigned x = 0; x < columns; x++) {
            blockIdx = {x, y, 0};
            if (!fibres::run_block(threads, backwards)) return WAITING;
        }
    return DONE;
}
