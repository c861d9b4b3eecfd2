/** The frame of a page before anything is known: what index.html draws by itself, until there is something to take its place. */
export const Early = () => (
  <div className="early" aria-hidden="true">
    <div className="early-side">
      <img src="/icon.svg" alt="" />
      Sonde
    </div>
    <div className="early-page">
      <div />
      <div />
      <div />
      <div />
      <div />
    </div>
  </div>
)
