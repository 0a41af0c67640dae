// Not a bug: a server without running workers gives up when the first of them cannot start.
import { workerLimits } from '../../../src/server/workers/workers.ts'

workerLimits.withoutWorkerMs = 0
