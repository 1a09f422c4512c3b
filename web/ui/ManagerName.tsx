/** For password managers, which keep a password under the name that stands beside it. */
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
