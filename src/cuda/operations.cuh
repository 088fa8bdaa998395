/*
 * operations.cuh - the operations of the table, as the plugin has them: failures are thrown.
 */
#ifndef DPL_CUDA_OPERATIONS_CUH
#define DPL_CUDA_OPERATIONS_CUH

#include "engine.cuh"

namespace dpl
{

void within(const dpl_device_host *host, const dpl_within *task, dpl_error *err);
void within_bytes(const dpl_device_host *host, const dpl_within *task, dpl_error *err);
void best(const dpl_device_host *host, const dpl_best *task, dpl_error *err);
void best_bytes(const dpl_device_host *host, const dpl_best *task, dpl_error *err);
void dots_within(const dpl_device_host *host, const dpl_dots_within *task, dpl_error *err);
void dots_nearest(const dpl_device_host *host, const dpl_dots_nearest *task, dpl_error *err);
void nearest(const dpl_device_host *host, const dpl_nearest *task, dpl_error *err);

} // namespace dpl
#endif
