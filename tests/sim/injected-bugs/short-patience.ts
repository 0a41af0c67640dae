// No bug: a server none of whose workers serves gives up with the first of them that cannot start.
import { workerLimits } from '../../../src/server/workers/workers.ts'

workerLimits.withoutWorkerMs = 0
