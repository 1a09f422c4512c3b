/** Line icons on a 24 grid, drawn for this product. */
const DRAWINGS = {
  apps: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  record: 'M7 3h10v18H7zM10 8h4M10 12h4M10 16h2',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  cluster: 'M9 3h6v5H9zM3 16h6v5H3zM15 16h6v5h-6zM12 8v4M6 16v-4h12v4',
  solution: 'M5 3h11l3 3v15H5zM9 9h6M9 13h6M9 17h3',
  'safety-certificate': 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5',
  smile: 'M12 3a9 9 0 1 0 .01 0zM8.5 14c1 1.5 2.2 2 3.5 2s2.5-.5 3.5-2M9 9.500v.01M15 9.500v.01',
  notification: 'M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zM10 21h4',
  lock: 'M5 11h14v10H5zM8 11V8a4 4 0 0 1 8 0v3M12 15v2',
  profile: 'M4 4h16v16H4zM8 9h8M8 13h8M8 17h4',
  search: 'M10.5 4a6.5 6.5 0 1 0 .01 0zM15.5 15.500L20 20',
  reading: 'M12 3a2 2 0 1 0 .01 0zM4 9l8 1.500L20 9M12 10.500v5M8.5 21.500l3.5-6 3.500 6',
  sun: 'M12 8a4 4 0 1 0 .01 0zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.500M17.5 17.500L19 19M19 5l-1.5 1.500M6.5 17.500L5 19',
  moon: 'M20 14.500A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.500z',
  device: 'M3 4h18v12H3zM9 20h6M12 16v4',
  mail: 'M3 6h18v13H3zM3.5 6.500L12 13l8.5-6.500',
  globe: 'M12 3a9 9 0 1 0 .01 0zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  user: 'M12 4a4 4 0 1 0 .01 0zM4 21c0-4 3.5-7 8-7s8 3 8 7',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  manage: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  check: 'M5 12.500l4.5 4.500L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  more: 'M5.5 11.2a.8.8 0 1 0 .01 0zM12 11.2a.8.8 0 1 0 .01 0zM18.5 11.2a.8.8 0 1 0 .01 0z',
  grip: 'M9 5.500v.01M9 12v.01M9 18.500v.01M15 5.500v.01M15 12v.01M15 18.500v.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  star: 'M12 4l2.500 5 5.500.8-4 3.900 1 5.500-5-2.600-5 2.600 1-5.500-4-3.900 5.500-.8z',
  back: 'M14.500 6l-6 6 6 6',
  forward: 'M9.500 6l6 6-6 6',
  down: 'M6 9.500l6 6 6-6',
  up: 'M6 14.500l6-6 6 6',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 1 0 .01 0z',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01',
  'eye-off': 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM4 20L20 4',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  pc: 'M3 5h18v11H3zM2 20h20',
  mobile: 'M7 2h10v20H7zM11 18.500h2',
  tablet: 'M4 3h16v18H4zM11 17.500h2',
  other: 'M12 3a9 9 0 1 0 .01 0zM9.5 9.500a2.5 2.5 0 1 1 3.5 2.300c-.7.3-1 .8-1 1.700M12 16.500v.01',
  refresh: 'M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5',
  copy: 'M8 8h12v12H8zM16 8V4H4v12h4',
  download: 'M12 4v11M7.5 11l4.500 4.500L16.5 11M4 20h16',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.01',
} as const

export type IconName = keyof typeof DRAWINGS

/** Decorative; a control with only an icon needs its own label. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={DRAWINGS[name]} />
    </svg>
  )
}
