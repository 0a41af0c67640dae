// OfflineBanner: tells how old the data is while the server cannot be reached.
import { useEffect, useReducer, useSyncExternalStore } from 'react'
import { getConnectivity, subscribeConnectivity } from '../api/connectivity.ts'
import { useTranslation } from '../i18n/translation.tsx'

export function OfflineBanner() {
  const isOffline = useSyncExternalStore(subscribeConnectivity, () => getConnectivity().isOffline)
  return <div role="status">{isOffline && <OfflineMessage />}</div>
}

function OfflineMessage() {
  const { t, format } = useTranslation()
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(rerender, 15_000)
    return () => clearInterval(timer)
  }, [])
  const { lastReplyAt } = getConnectivity()
  const minutes = Math.floor((Date.now() - lastReplyAt) / 60_000)
  return <p className="banner offline">{t.offline(minutes, format.time(lastReplyAt))}</p>
}
