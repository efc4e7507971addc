import { signal } from "@preact/signals"

export const views = ["overview", "work", "reviews", "webhooks", "keys", "access"] as const
export type View = (typeof views)[number]

/** A view of the console, and the id of the displayed resource; null for the list. */
export interface Route {
  readonly view: View
  readonly id: string | null
}

const routeOf = (hash: string): Route => {
  const [, name, id = null] = /^#\/(\w+)(?:\/([\w.-]+))?$/u.exec(hash) ?? []
  return { view: views.find((view) => view === name) ?? "overview", id }
}

export const route = signal(routeOf(location.hash))
addEventListener("hashchange", () => {
  route.value = routeOf(location.hash)
})

export const linkTo = (view: View, id: string | null = null): string => `#/${view}${id === null ? "" : `/${id}`}`
