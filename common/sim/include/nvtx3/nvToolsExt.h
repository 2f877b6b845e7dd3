/* nvtx3/nvToolsExt.h - marks and ranges that a profiler shows: there is none here, so these do nothing. */
#ifndef NVTX3_NVTOOLSEXT_H
#define NVTX3_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct sim_nvtx_domain *nvtxDomainHandle_t;
typedef struct sim_nvtx_string *nvtxStringHandle_t;
enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB };
enum {
    NVTX_MESSAGE_UNKNOWN,
    NVTX_MESSAGE_TYPE_ASCII,
    NVTX_MESSAGE_TYPE_UNICODE,
    NVTX_MESSAGE_TYPE_REGISTERED
};
enum {
    NVTX_PAYLOAD_UNKNOWN,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
    NVTX_PAYLOAD_TYPE_INT64,
    NVTX_PAYLOAD_TYPE_DOUBLE,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
    NVTX_PAYLOAD_TYPE_INT32,
    NVTX_PAYLOAD_TYPE_FLOAT
};
typedef union {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define SIM_NVTX(declaration, value)                                                               \
    static inline declaration                                                                      \
    {                                                                                              \
        return value;                                                                              \
    }
#define SIM_NVTX_NAMED(type, name, value)                                                          \
    SIM_NVTX(type name##A(const char *message), ((void)message, (type)value))                      \
    SIM_NVTX(type name##W(const wchar_t *message), ((void)message, (type)value))                   \
    SIM_NVTX(type name##Ex(const nvtxEventAttributes_t *event), ((void)event, (type)value))
SIM_NVTX_NAMED(int, nvtxRangePush, 0)
SIM_NVTX_NAMED(nvtxRangeId_t, nvtxRangeStart, 1)
SIM_NVTX_NAMED(void, nvtxMark, 0)
SIM_NVTX(int nvtxRangePop(void), 0)
SIM_NVTX(void nvtxRangeEnd(nvtxRangeId_t range), (void)range)
SIM_NVTX(void nvtxInitialize(const void *reserved), (void)reserved)
SIM_NVTX(void nvtxNameOsThreadA(uint32_t thread, const char *name), ((void)thread, (void)name))
SIM_NVTX(void nvtxNameCategoryA(uint32_t category, const char *name), ((void)category, (void)name))
SIM_NVTX(nvtxDomainHandle_t nvtxDomainCreateA(const char *name),
         ((void)name, (nvtxDomainHandle_t)NULL))
SIM_NVTX(void nvtxDomainDestroy(nvtxDomainHandle_t domain), (void)domain)
SIM_NVTX(int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event),
         ((void)domain, (void)event, 0))
SIM_NVTX(int nvtxDomainRangePop(nvtxDomainHandle_t domain), ((void)domain, 0))
SIM_NVTX(void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event),
         ((void)domain, (void)event))
#undef SIM_NVTX_NAMED
#undef SIM_NVTX

#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxDomainCreate nvtxDomainCreateA

#endif
