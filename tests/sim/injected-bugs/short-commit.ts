// Not a bug: a commit that PostgreSQL does not confirm is given up after half a second.
import { requestTimeLimits } from '../../../src/store/time-limits.ts'

Object.assign(requestTimeLimits, { commitMs: 500 })
