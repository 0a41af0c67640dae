// Not a bug: a server that is stopped waits for its requests for half a second.
import { limits } from '../../../src/http/limits.ts'

Object.assign(limits, { stopTimeoutMs: 500 })
