/** Head of a page: where one is, what it is called, what can be done. */
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'

interface PageProps {
  readonly title: string
  readonly heading?: ReactNode
  readonly crumbs?: readonly { readonly to: string; readonly name: string }[]
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const Page = ({ title, heading, crumbs = [], lead, actions, children }: PageProps) => {
  useEffect(() => {
    document.title = `${title} · Sonde`
  }, [title])
  return (
    <div className="page">
      <header className="page-head">
        <div>
          {crumbs.length === 0 ? null : (
            <nav className="crumbs" aria-label="Breadcrumb">
              {crumbs.map(({ to, name }) => (
                <span key={to}>
                  <Link to={to}>{name}</Link> /
                </span>
              ))}
            </nav>
          )}
          <h1>{heading ?? title}</h1>
          {lead === undefined ? null : <div className="lead">{lead}</div>}
        </div>
        {actions === undefined ? null : <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
