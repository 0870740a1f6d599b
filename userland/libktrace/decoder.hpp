// SPDX-License-Identifier: BSD-2-Clause
//
// RecordView -> Record.

#pragma once

#include "record.hpp"
#include "result.hpp"

namespace ktools {

// An Error tells what the payload should have held; the caller knows the file.
[[nodiscard]] Result<Record> decode(const RecordView &view);

} // namespace ktools
