// loadOnDemand: a component whose code is fetched when it is first shown.
import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react'

/** `fallback` is shown meanwhile. Without Suspense, which would show it for 300 ms although the code is there. */
export function loadOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): (props: Props) => ReactNode {
  let loaded: ComponentType<Props> | undefined
  return (props) => {
    const [component, setComponent] = useState(() => loaded)
    useEffect(() => {
      load().then(
        (found) => setComponent(() => (loaded = found)),
        (error: unknown) =>
          setComponent(() => {
            // For the nearest error boundary.
            throw error
          }),
      )
    }, [])
    return component === undefined ? fallback : createElement(component, props)
  }
}
