/** The inconspicuous button to remove a contact, below the fields of the dialog that changes it. */
export function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className="button button-quiet button-remove" onClick={onClick}>
      {label}
    </button>
  )
}
