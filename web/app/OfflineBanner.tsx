// OfflineBanner: tells how old the data is while the server cannot be reached.
import { useEffect, useReducer, useSyncExternalStore } from 'react'
import { formatTime } from '../api/format.ts'
import { getConnectivity, subscribeConnectivity } from '../api/connectivity.ts'
import { useSession } from '../api/session.ts'
import { useTranslation } from '../i18n/translation.tsx'

export function OfflineBanner() {
  const isOffline = useSyncExternalStore(subscribeConnectivity, () => getConnectivity().isOffline)
  return <div role="status">{isOffline && <OfflineMessage />}</div>
}

function OfflineMessage() {
  const { t, language } = useTranslation()
  const { zone } = useSession()
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(rerender, 15_000)
    return () => clearInterval(timer)
  }, [])
  const { lastReplyAt } = getConnectivity()
  const minutes = Math.floor((Date.now() - lastReplyAt) / 60_000)
  return (
    <p className="banner offline">{t.offline(minutes, formatTime(lastReplyAt, language, zone))}</p>
  )
}
