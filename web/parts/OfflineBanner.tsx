// Says that what is shown may be old, as long as the network is away.
import { useSyncExternalStore } from 'react'
import { useText } from '../text/text.tsx'

export const OfflineBanner = () => {
  const { say } = useText()
  const isOnline = useSyncExternalStore(listen, () => navigator.onLine)
  return <div role="status">{!isOnline && <p className="banner offline">{say.offline}</p>}</div>
}

const listen = (changed: () => void) => {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}
