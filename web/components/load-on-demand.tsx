// loadOnDemand: a component whose code is fetched when it is first shown.
import { createElement, lazy, Suspense, type ComponentType, type ReactNode } from 'react'

/** `fallback` is shown meanwhile. */
export function loadOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const Loaded = lazy(async () => ({ default: await load() }))
  return (props) => <Suspense fallback={fallback}>{createElement(Loaded, props)}</Suspense>
}
