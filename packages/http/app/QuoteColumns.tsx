import type { ComponentChildren } from "preact"

interface QuoteColumnsProps {
  /** The form, and the error of its last request. */
  readonly request: ComponentChildren
  /** Summary of the quote for screen readers; null if there is no quote. */
  readonly summary: string | null
  /** The quote and its signing controls. */
  readonly children?: ComponentChildren
}

/** Renders a form, and the requested quote beside it. */
export const QuoteColumns = ({ children, request, summary }: QuoteColumnsProps) => (
  <div class="columns">
    <section class="stack" aria-label="Request">
      {request}
    </section>
    <section class="stack" aria-label="Quote">
      <p class="hidden" role="status">
        {summary}
      </p>
      {children}
    </section>
  </div>
)
