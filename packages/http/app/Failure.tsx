import { CountersignError } from "../src/client/index.ts"
import { useLoad } from "./useLoad.ts"

/** What to do about an error, as the service's page of errors says it. */
const remedyOf = async ({ docUrl, id }: CountersignError, signal: AbortSignal): Promise<string | null> => {
  if (docUrl === null) return null
  const page = await (await fetch(docUrl, { signal })).text()
  // That page has a style in its markup, which the policy of this one refuses: the part alone is read.
  const [part = ""] = page.split(`<section id="${id}">`)[1]?.split("</section>") ?? []
  return new DOMParser().parseFromString(part, "text/html").querySelector("p:last-of-type")?.textContent ?? null
}

const OfService = ({ error }: { readonly error: CountersignError }) => {
  const remedy = useLoad(error.id, (signal) => remedyOf(error, signal)).value
  return (
    <>
      <p>
        <strong>{error.id}</strong> {error.message}
      </p>
      {error.problems.length > 0 && (
        <ul>
          {error.problems.map(({ message, path }) => (
            <li key={path}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {remedy && <p>{remedy}</p>}
      <p class="muted">
        {error.docUrl !== null && <a href={error.docUrl}>About this error</a>}
        {error.traceId !== null && <> Request {error.traceId}</>}
      </p>
    </>
  )
}

/** Wallets reject with objects that are no errors of their own class. */
const messageOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error)

/** What went wrong, in words; nothing where nothing did. */
export const Failure = ({ of: error }: { readonly of: unknown }) =>
  error === undefined ? null : (
    <div class="failure" role="alert">
      {error instanceof CountersignError ? <OfService error={error} /> : <p>{messageOf(error)}</p>}
    </div>
  )
