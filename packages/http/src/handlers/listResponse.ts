import type { ListPage, StreamedList } from "@countersign/adapters/api/endpoints"
import { type Context, Effect, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"

type ListFields = Pick<StreamedList<never, never>, "field" | "others">

const JSON_TYPE = { contentType: "application/json" } as const

/** Streams the first page, and loads further pages when the client has read the previous ones. */
const streamedPages = <R>({ field, others }: ListFields, page: ListPage<unknown, R>, context: Context.Context<R>) => {
  const items = Stream.paginate(Effect.succeed(page), (readPage: Effect.Effect<typeof page, never, R>) =>
    Effect.map(readPage, ({ items, next }) => [[items], Option.fromNullishOr(next)])
  ).pipe(
    Stream.filter((page) => page.length > 0),
    Stream.map((page) => page.map((item) => JSON.stringify(item)).join(",")),
    Stream.mapAccum(
      () => "",
      (comma, text) => [",", [`${comma}${text}`]] as const
    )
  )
  const end = Object.entries(others).map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return Stream.make(`{${JSON.stringify(field)}:[`).pipe(
    Stream.concat(items),
    Stream.concat(Stream.make(`]${end.join("")}}`)),
    Stream.provideContext(context)
  )
}

/**
 * Responds with a JSON object that contains a list. A list of one page is sent as one text; a longer list is streamed
 * page by page.
 */
export const listResponse = <R>(list: ListFields, firstPage: Effect.Effect<ListPage<unknown, R>, never, R>) =>
  Effect.flatMap(firstPage, (page) =>
    page.next === null
      ? Effect.succeed(HttpServerResponse.text(JSON.stringify({ [list.field]: page.items, ...list.others }), JSON_TYPE))
      : Effect.contextWith((context: Context.Context<R>) =>
          Effect.succeed(HttpServerResponse.stream(Stream.encodeText(streamedPages(list, page, context)), JSON_TYPE))
        )
  )
