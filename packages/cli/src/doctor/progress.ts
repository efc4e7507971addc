import { Effect } from "effect"

/** Displays the name of a check while the check runs. */
export type Progress = <A, E, R>(name: string, check: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export const withoutProgress: Progress = (_name, check) => check

const CLEAR_LINE = "\r\u001b[2K"

/** Displays the running checks on one line of a terminal. The line is empty when no check is running. */
export const onTerminal = (write: (text: string) => void): Progress => {
  const names = new Set<string>()
  const show = Effect.sync(() =>
    write(names.size === 0 ? CLEAR_LINE : `${CLEAR_LINE}Checking ${[...names].join("; ")}`)
  )
  return (name, check) =>
    Effect.acquireUseRelease(
      Effect.andThen(
        Effect.sync(() => names.add(name)),
        show
      ),
      () => check,
      () =>
        Effect.andThen(
          Effect.sync(() => names.delete(name)),
          show
        )
    )
}
