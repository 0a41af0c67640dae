// focusElement: a ref that takes the focus when its element appears.

export function focusElement(element: HTMLElement | null): void {
  return element?.focus()
}
