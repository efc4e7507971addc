import { CountersignError } from "../src/client/index.ts"
import { useLoad } from "./useLoad.ts"

/** Returns the solution for an error from the service's error page; null if there is none. */
const remedyOf = async ({ docUrl, id }: CountersignError, signal: AbortSignal): Promise<string | null> => {
  if (docUrl === null) return null
  const page = await (await fetch(docUrl, { signal })).text()
  // Uses only the section about this error. This page's content security policy would block the inline style of the
  // complete error page.
  const [section = ""] = page.split(`<section id="${id}">`)[1]?.split("</section>") ?? []
  return new DOMParser().parseFromString(section, "text/html").querySelector("p:last-of-type")?.textContent ?? null
}

/** Form labels by the field's path in the request. */
type Labels = Readonly<Record<string, string>>

/** Removes the request part from a path in an API error: `body.amountIn` becomes `amountIn`. */
const fieldOf = (path: string): string => path.replace(/^(?:body|query)\./u, "")

const Problems = ({ labels, problems }: Pick<CountersignError, "problems"> & { readonly labels: Labels }) => (
  <>
    <p>Correct the request and try again:</p>
    <ul>
      {problems.map(({ message, path }) => (
        <li key={path}>
          {path !== "" && <strong>{labels[fieldOf(path)] ?? fieldOf(path)}: </strong>}
          {message}
        </li>
      ))}
    </ul>
  </>
)

const Explanation = ({ error }: { readonly error: CountersignError }) => {
  const remedy = useLoad(error.id, (signal) => remedyOf(error, signal)).value
  return (
    <>
      <p>{error.message}</p>
      {remedy && <p>{remedy}</p>}
    </>
  )
}

/** Renders an error that the service returned. Invalid fields are listed with their form labels. */
const ServiceError = ({ error, labels }: { readonly error: CountersignError; readonly labels: Labels }) => (
  <>
    {error.problems.length > 0 ? (
      <Problems problems={error.problems} labels={labels} />
    ) : (
      <Explanation key={error.traceId} error={error} />
    )}
    <p class="muted">
      {error.docUrl === null ? error.id : <a href={error.docUrl}>{error.id}</a>}
      {error.traceId !== null && <> Trace id {error.traceId}</>}
    </p>
  </>
)

/** Returns the message of an error. Browser wallets throw plain objects instead of `Error`s. */
const messageOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error)

interface FailureProps {
  /** The error; undefined if there is none. */
  readonly of: unknown
  readonly labels?: Labels
}

/** Renders an error message with its solution. */
export const Failure = ({ labels = {}, of: error }: FailureProps) =>
  error === undefined ? null : (
    <div class="failure" role="alert">
      {error instanceof CountersignError ? <ServiceError error={error} labels={labels} /> : <p>{messageOf(error)}</p>}
    </div>
  )
