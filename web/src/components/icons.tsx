/** Line icons of our own, 16 units wide. They decorate words and are never alone. */
import type { ReactNode } from 'react'

const Icon = ({ children }: { readonly children: ReactNode }) => (
  <svg
    viewBox="0 0 16 16"
    width="16"
    height="16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {children}
  </svg>
)

export const OverviewIcon = () => (
  <Icon>
    <path d="M2 13.5h12M4 11V8M8 11V3.5M12 11V6" />
  </Icon>
)
export const FindingsIcon = () => (
  <Icon>
    <path d="M8 2.5 14 13H2zM8 6.500v3M8 11.250v.1" />
  </Icon>
)
export const RunsIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="6" />
    <path d="M8 4.5V8l2.5 1.5" />
  </Icon>
)
export const DomainsIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="6" />
    <path d="M2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14c-2-2-2.500-4-2.500-6S6 4 8 2" />
  </Icon>
)
export const SettingsIcon = () => (
  <Icon>
    <path d="M2 4.500h7M12.500 4.500H14M2 11.500h1.500M7 11.500h7" />
    <circle cx="10.750" cy="4.500" r="1.750" />
    <circle cx="5.250" cy="11.500" r="1.750" />
  </Icon>
)
export const CheckIcon = () => (
  <Icon>
    <path d="m3 8.500 3.200 3.200L13 4.800" />
  </Icon>
)
export const CrossIcon = () => (
  <Icon>
    <path d="m4 4 8 8M12 4l-8 8" />
  </Icon>
)
export const ClockIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="6" />
    <path d="M8 5v3.200l2 1.300" />
  </Icon>
)
export const StopIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="6" />
    <path d="M5.500 8h5" />
  </Icon>
)
export const LiveIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="2" fill="currentColor" />
    <path d="M4.200 4.200a5.400 5.400 0 0 0 0 7.600M11.800 4.200a5.400 5.400 0 0 1 0 7.600" />
  </Icon>
)
export const Logo = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#1b4f8a" />
    <g stroke="#fff" strokeWidth="2.6" fill="none">
      <path d="M16 6v9.500" strokeLinecap="round" />
      <circle cx="16" cy="20.500" r="5" />
    </g>
    <circle cx="16" cy="20.500" r="1.600" fill="#fff" />
  </svg>
)
