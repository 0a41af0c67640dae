// OfflineBanner: tells how old the data is while the server cannot be reached.
import { useEffect, useReducer, useSyncExternalStore } from 'react'
import { timeText } from '../api/format.ts'
import { reachNow, watchReach } from '../api/connectivity.ts'
import { useSession } from '../api/session.ts'
import { useText } from '../i18n/translation.tsx'

export function OfflineBanner() {
  const isAway = useSyncExternalStore(watchReach, () => reachNow().isAway)
  return <div role="status">{isAway && <Age />}</div>
}

function Age() {
  const { say, language } = useText()
  const { zone } = useSession()
  const [, again] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(again, 15_000)
    return () => clearInterval(timer)
  }, [])
  const { heardAt } = reachNow()
  const minutes = Math.floor((Date.now() - heardAt) / 60_000)
  return <p className="banner offline">{say.offline(minutes, timeText(heardAt, language, zone))}</p>
}
