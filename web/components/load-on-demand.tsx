// loadOnDemand: a component whose code is fetched when it is first shown.
import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { importCode } from './import-code.ts'
import { ErrorState } from './QueryStates.tsx'

/** `fallback` is shown meanwhile. Without Suspense, which would show it for 300 ms although the code is there. */
export function loadOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): (props: Props) => ReactNode {
  const fetchCode = importCode(load)
  let loaded: ComponentType<Props> | undefined
  return (props) => {
    const [component, setComponent] = useState(() => loaded)
    const [error, setError] = useState<unknown>(null)
    const fetchAndShow = () => {
      setError(null)
      fetchCode().then((found) => setComponent(() => (loaded = found)), setError)
    }
    useEffect(fetchAndShow, [])
    if (error !== null) return <ErrorState error={error} onRetry={fetchAndShow} />
    return component === undefined ? fallback : createElement(component, props)
  }
}
