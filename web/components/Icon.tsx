// SVG icons in the colour of the surrounding text.

const paths = {
  today: 'M4 6.5h16v13H4zM4 10.5h16M8.5 4v4M15.5 4v4',
  approve: 'M5 12.5l4.5 4.5L19 7.5',
  usage: 'M12 4l7.5 4v8L12 20l-7.5-4V8zM4.5 8l7.5 4 7.5-4M12 12v8',
  export: 'M12 15V4.5M8 8l4-4 4 4M5 13v6.5h14V13',
  revenue: 'M5 19V11M10 19V5M15 19v-6M20 19V8',
  register: 'M5 5h14v14H5zM5 10h14M10 10v9',
  explore: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  help: 'M9.2 9.4a2.9 2.9 0 1 1 4.1 2.7c-.9.4-1.3 1-1.3 1.9M12 17.2v.1M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z',
  close: 'M6 6l12 12M18 6L6 18',
  left: 'M14.5 6l-6 6 6 6',
  right: 'M9.5 6l6 6-6 6',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15.5 15.5L20 20',
  warning: 'M12 4.5l8.5 15h-17zM12 10v4.5M12 17v.1',
  download: 'M12 4.5v10M8 11l4 4 4-4M5 19.5h14',
  table: 'M4.5 5.5h15v13h-15zM4.5 10h15M4.5 14.3h15M10 5.5v13',
  chart: 'M4.5 19.5h15M7 16v-5M12 16V6M17 16v-8',
  history: 'M5 12a7 7 0 1 0 2.2-5.1L5 9M5 5v4h4M12 8.5V12l2.5 1.5',
  settings: 'M4.5 8h8M16.5 8h3M14.5 6v4M4.5 16h3M11.5 16h8M9.5 14v4',
  star: 'M12 4.2l2.4 5 5.4.7-4 3.8 1 5.4-4.8-2.6-4.8 2.6 1-5.4-4-3.8 5.4-.7z',
} as const

export type IconName = keyof typeof paths

/** Hidden from screen readers: the label is next to it. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  )
}
