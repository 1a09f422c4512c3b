import type { ReactNode, RefObject } from 'react'
import { Header, Menu, MenuItem, MenuSection, type PopoverProps, Text } from 'react-aria-components'
import { flushSync } from 'react-dom'
import { AriaProvider } from './AriaProvider.tsx'
import { FieldPopover } from './FieldPopover.tsx'
import { Icon } from './Icon.tsx'
import type { MenuEntry, MenuVerb } from './menu.types.ts'

export type MenuListProps = {
  id: string
  label: string
  /** The anchor. */
  trigger: RefObject<HTMLElement | null>
  /** Gets the focus back, if not the trigger. */
  opener?: RefObject<HTMLElement | null>
  entries: readonly MenuEntry[]
  placement: NonNullable<PopoverProps['placement']>
  className?: string
  onClose: () => void
}

type Section = { heading: string | null; verbs: MenuVerb[]; isDanger?: boolean }

/** Entries after a heading form its section; destructive ones are last, apart from the others. */
function toSections(entries: readonly MenuEntry[]): Section[] {
  const sections: Section[] = []
  for (const entry of entries) {
    if ('heading' in entry) sections.push({ heading: entry.heading, verbs: [] })
    else if (sections.at(-1)) sections.at(-1)?.verbs.push(entry)
    else sections.push({ heading: null, verbs: [entry] })
  }
  const dangers = sections.flatMap(({ verbs }) => verbs.filter(({ isDanger }) => isDanger))
  if (dangers.length === 0) return sections
  const others = sections.map(({ verbs, ...rest }) => ({ ...rest, verbs: verbs.filter(({ isDanger }) => !isDanger) }))
  return [...others.filter(({ verbs }) => verbs.length > 0), { heading: null, verbs: dangers, isDanger: true }]
}

/**
 * An open menu: arrow keys, Home, End and first letters move, Esc and Tab close it. Loaded when a menu is about to be
 * used.
 */
export function MenuList({
  id,
  label,
  trigger,
  opener = trigger,
  entries,
  placement,
  className = '',
  onClose,
}: MenuListProps) {
  const select = (key: unknown) => {
    const verb = entries.find((entry) => 'label' in entry && entry.label === key)
    // Close first: a dialog that the action opens returns the focus to the current element.
    flushSync(onClose)
    opener.current?.focus()
    if (verb && 'onSelect' in verb) verb.onSelect()
  }
  const sections = toSections(entries)
  const [only] = sections.length === 1 ? sections : []
  return (
    <AriaProvider>
      <FieldPopover
        root={trigger}
        triggerRef={trigger}
        opener={opener}
        label={label}
        placement={placement}
        className={`menu-popover ${className}`}
        onClose={onClose}
        onTab={onClose}
      >
        <Menu
          ref={focusFirst}
          id={id}
          className="menu-list"
          aria-label={label}
          autoFocus="first"
          onAction={select}
          {...(only && !only.heading && selectionOf(only.verbs))}
        >
          {only && !only.heading
            ? only.verbs.map(toItem)
            : sections.map((section) => (
                <MenuSection
                  key={section.isDanger ? 'danger' : section.heading}
                  {...(section.isDanger && { className: 'menu-apart' })}
                  aria-label={section.heading ?? label}
                  {...selectionOf(section.verbs)}
                >
                  {section.heading && <Header className="menu-heading">{section.heading}</Header>}
                  {section.verbs.map(toItem)}
                </MenuSection>
              ))}
        </Menu>
      </FieldPopover>
    </AriaProvider>
  )
}

/** After a click by Enter or a screen reader react-aria leaves the focus on the list. */
function focusFirst(list: HTMLElement | null): void {
  list?.addEventListener('focus', () =>
    requestAnimationFrame(() => {
      if (document.activeElement !== list) return
      list.querySelector<HTMLElement>('.menu-item:not([aria-disabled])')?.focus()
    }),
  )
}

/** Single selection, if the entries have a checked state. */
function selectionOf(verbs: readonly MenuVerb[]) {
  if (verbs.every(({ checked }) => checked === undefined)) return {}
  const selectedKeys = verbs.flatMap(({ label, checked }) => (checked ? [label] : []))
  return { selectionMode: 'single', disallowEmptySelection: true, selectedKeys } as const
}

const toItem = ({ label, icon, lang, checked, disabled = false, hint, isDanger = false }: MenuVerb): ReactNode => (
  <MenuItem
    key={label}
    id={label}
    className={isDanger ? 'menu-item menu-item-danger' : 'menu-item'}
    textValue={label}
    isDisabled={disabled}
    {...(lang && { lang })}
  >
    {icon && <Icon name={icon} />}
    {hint ? (
      <span>
        <Text slot="label">{label}</Text>
        <Text slot="description" className="menu-hint">
          {hint}
        </Text>
      </span>
    ) : (
      <span>{label}</span>
    )}
    {checked && (
      <span className="menu-check">
        <Icon name="check" />
      </span>
    )}
  </MenuItem>
)
