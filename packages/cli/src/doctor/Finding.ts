/** One result of `doctor`. Fields that do not apply are null. */
export interface Finding {
  readonly subject: string
  /** WAITING: the state is not normal, but the service continues to work, possibly without some features. */
  readonly state: "ok" | "waiting" | "failing"
  /** What the check found. */
  readonly detail: string
  readonly waitsFor: string | null
  /** ISO 8601. */
  readonly since: string | null
  /** What happens if the operator does nothing. */
  readonly byItself: string | null
  /** What the operator can do. */
  readonly whatToDo: string | null
}

type FindingDetails = Partial<Pick<Finding, "waitsFor" | "since" | "byItself" | "whatToDo">>

const finding =
  (state: Finding["state"]) =>
  (subject: string, detail: string, details: FindingDetails = {}): Finding => ({
    subject,
    state,
    detail,
    waitsFor: null,
    since: null,
    byItself: null,
    whatToDo: null,
    ...details
  })

export const ok = finding("ok")
export const waiting = finding("waiting")
export const failing = finding("failing")
