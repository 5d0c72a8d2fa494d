// What alignments that are not local leave out at no cost: H before the first letters, and where they may end.
//
// Columns are of the query, rows of the subject. The ends that are free are bits, FREE_<END>, of an argument.
#pragma once
#include "core/recurrence.cuh"

struct Borders {
    int free;
    Gaps<int> gaps;

    __device__ __forceinline__ bool is_free(int end) const { return free & end; }
    __device__ __forceinline__ int gap(int letters) const { return letters ? gaps.first + (letters - 1) * gaps.next : 0; }
    // H where so many letters of one sequence, and none of the other, have passed.
    __device__ __forceinline__ int after_query(int letters) const { return is_free(FREE_QUERY_BEGIN) ? 0 : gap(letters); }
    __device__ __forceinline__ int after_subject(int letters) const {
        return is_free(FREE_SUBJECT_BEGIN) ? 0 : gap(letters);
    }
    __device__ __forceinline__ bool may_end(bool at_query_end, bool at_subject_end) const {
        return at_query_end ? at_subject_end || is_free(FREE_SUBJECT_END) : at_subject_end && is_free(FREE_QUERY_END);
    }
};
