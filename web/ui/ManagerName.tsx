/** For password managers, which store a password under the adjacent name. */
export const ManagerName = ({ account }: { account: string }) => (
  <input
    type="text"
    className="visually-hidden"
    autoComplete="username"
    value={account}
    readOnly
    tabIndex={-1}
    aria-hidden="true"
  />
)
