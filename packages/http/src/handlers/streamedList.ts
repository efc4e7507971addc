import type { StreamedList } from "@countersign/adapters/api/endpoints"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"

/** A JSON object of which one field is a list that comes in pages. */
export const streamedList = <R>(
  { field, others }: Pick<StreamedList<never, R>, "field" | "others">,
  pages: Stream.Stream<ReadonlyArray<unknown>, never, R>
) =>
  Effect.map(Effect.context<R>(), (context) => {
    const items = pages.pipe(
      Stream.filter((page) => page.length > 0),
      Stream.map((page) => page.map((item) => JSON.stringify(item)).join(",")),
      Stream.mapAccum(
        () => "",
        (comma, text) => [",", [`${comma}${text}`]] as const
      )
    )
    const end = Object.entries(others).map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    const text = Stream.make(`{${JSON.stringify(field)}:[`).pipe(
      Stream.concat(items),
      Stream.concat(Stream.make(`]${end.join("")}}`)),
      Stream.provideContext(context)
    )
    return HttpServerResponse.stream(Stream.encodeText(text), { contentType: "application/json" })
  })
