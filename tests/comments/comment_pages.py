"""Pages with comments, in the markup of common blog and news systems."""

from __future__ import annotations

ARTICLE = (
    "<h1>The oak</h1><div id=post>"
    + "".join(f"<p>Paragraph {i} speaks of oaks, of their rings, and of what holds them up.</p>" for i in range(6))
    + "</div>"
)


def page(comments: str, lang: str = "en") -> str:
    """A page with an article and what is under it."""
    return (
        f"<html lang={lang}><head><title>The oak</title></head><body><ul><li><a href=/>Home</a></ul>{ARTICLE}"
        f"{comments}<div id=footer>About us. All rights reserved 2012.</div></body></html>"
    )


WORDPRESS = """
<div id="comments"><h3>3 thoughts on “The oak”</h3><ol class="commentlist">
<li class="comment even thread-even depth-1" id="li-comment-11"><div id="comment-11" class="comment-body">
  <div class="comment-author vcard"><img src=a.png> <cite class="fn">Ann Alder</cite>
  <span class="says">says:</span></div>
  <div class="comment-meta"><a href="#comment-11">November 12, 2012 at 10:31 am</a></div>
  <p>I have an oak, too.</p><p>It is older than the house.</p>
  <div class="reply"><a class="comment-reply-link" href="#">Reply</a></div></div>
  <ul class="children">
  <li class="comment odd alt depth-2" id="li-comment-12"><div id="comment-12" class="comment-body">
    <div class="comment-author vcard"><cite class="fn">Ben</cite> <span class="says">says:</span></div>
    <div class="comment-meta"><a href="#comment-12">November 12, 2012 at 11:02 am</a></div>
    <p>How old is the house?</p>
    <div class="reply"><a class="comment-reply-link" href="#">Reply</a></div></div></li></ul></li>
<li class="comment even thread-odd depth-1" id="li-comment-13"><div id="comment-13" class="comment-body">
  <div class="comment-author vcard"><cite class="fn">Cy</cite> <span class="says">says:</span></div>
  <div class="comment-meta"><a href="#comment-13">November 13, 2012 at 9:00 am</a></div>
  <p>Oaks are overrated.</p>
  <div class="reply"><a class="comment-reply-link" href="#">Reply</a></div></div></li>
</ol>
<div id="respond"><h3>Leave a Reply</h3><form id="commentform"><p>Your email address will not be published.</p>
<textarea></textarea></form></div></div>
"""

BLOGGER = """
<div class=comments id=comments><a name=comments></a><h4>2 comments:</h4><dl id=comments-block>
<dt class=comment-author id=c1><a href=/a rel=nofollow>Ann Alder</a> said...</dt>
<dd class=comment-body id=Blog1_cmt-1><p>I have an oak, too.</p></dd>
<dd class=comment-footer><span class=comment-timestamp><a href=#c1>October 19, 2012 10:54 AM</a></span></dd>
<dt class=comment-author id=c2>Anonymous said...</dt>
<dd class=comment-body id=Blog1_cmt-2><p>Oaks are overrated.</p></dd>
<dd class=comment-footer><span class=comment-timestamp><a href=#c2>October 20, 2012 8:00 PM</a></span></dd>
</dl><p class=comment-footer><a href=/post>Post a Comment</a></p></div>
"""

MOVABLE_TYPE = """
<div class=content><p class=posted>Written by the editor on October 1, 2012</p><h2>Comments</h2>
<div id=c1><p>I have an oak, too.</p></div>
<p class=posted>Posted by: <a href=mailto:ann>Ann Alder</a> at October 28, 2012 02:30 PM</p>
<div id=c2><p>Oaks are overrated.</p></div>
<p class=posted>Posted by: Ben at October 28, 2012 04:59 PM</p>
<h2>Post a comment</h2><form><p>Name:<p>Your words: <textarea></textarea></form></div>
"""

HEADED = """
<div id=comments><dl id=comment_list>
<dt class="comment depth-1"><span class=comment_author>Ann Alder</span>
<span class=comment_time>August 6, 2012</span></dt>
<dd class="comment depth-1"><p>I have an oak, too.</p></dd>
<dt class="comment depth-1"><span class=comment_author>Ben</span> <span class=comment_time>August 7, 2012</span></dt>
<dd class="comment depth-1"><p>Oaks are overrated.</p></dd>
</dl></div>
"""

DRUPAL = """
<div id="comments" class="comment-wrapper"><h2>Comments</h2>
<a id="comment-5"></a><div class="comment clearfix"><h3><a href="#comment-5">My own</a></h3>
<div class="submitted">Submitted by <span class="username">Ann Alder</span> on Thu, 08/09/2012 - 13:04.</div>
<div class="content"><p>I have an oak, too.</p></div><ul class="links inline"><li><a href=#>reply</a></li></ul></div>
<div class="indented"><a id="comment-6"></a><div class="comment clearfix">
<div class="submitted">Submitted by <span class="username">Ben</span> on Fri, 08/10/2012 - 09:00.</div>
<div class="content"><p>Oaks are overrated.</p></div>
<ul class="links inline"><li><a href=#>reply</a></li></ul></div></div>
</div>
"""

MICRODATA = """
<section>
<div itemprop="comment" itemscope itemtype="https://schema.org/Comment"><span itemprop="author">Ann Alder</span>
<time itemprop="dateCreated" datetime="2024-05-03T10:00:00+02:00">two days ago</time>
<div itemprop="text">I have an oak, too.</div></div>
<div itemprop="comment" itemscope itemtype="https://schema.org/Comment"><span itemprop="author">Ben</span>
<time itemprop="dateCreated" datetime="2024-05-04T10:00:00Z">yesterday</time>
<div itemprop="text">Oaks are overrated.</div></div>
</section>
"""

GERMAN = """
<section id="kommentare"><h2>2 Kommentare</h2>
<article class="kommentar"><header><b class="autor">Ann Alder</b>
<span class="datum">12. Mai 2021, 14:05 Uhr</span></header>
<p>Ich habe auch eine Eiche.</p></article>
<article class="kommentar"><header><b class="autor">Ben</b>
<span class="datum">13. Mai 2021, 8:00 Uhr</span></header>
<p>Eichen werden überschätzt.</p></article></section>
"""

MICROFORMATS = """
<section class="h-feed"><h2>2 replies</h2>
<div class="u-comment h-cite"><a class="p-author h-card" href=/ann>Ann Alder</a>
<a class="u-url" href=/1><time class="dt-published" datetime="2023-02-01T08:00:00Z">1 February</time></a>
<p class="e-content">I have an oak, too.</p></div>
<div class="u-comment h-cite"><a class="p-author h-card" href=/ben>Ben</a>
<a class="u-url" href=/2><time class="dt-published" datetime="2023-02-02T08:00:00Z">2 February</time></a>
<p class="e-content">Oaks are overrated.</p></div></section>
"""

DISQUS = """
<div id="disqus_thread"><div id="dsq-content"><ul id="dsq-comments">
<li class="comment even" id="dsq-comment-1"><div class="dsq-comment-header"><cite id="dsq-cite-1">
<a id="dsq-author-user-1" href=http://ann.example rel=nofollow>Ann Alder</a></cite></div>
<div class="dsq-comment-body"><div class="dsq-comment-message"><p>I have an oak, too.</p></div></div>
<div class="dsq-meta"><span>Nov 7, 2012</span></div></li>
<li class="comment odd" id="dsq-comment-2"><div class="dsq-comment-header"><cite id="dsq-cite-2"><span>Ben</span></cite>
</div><div class="dsq-comment-body"><div class="dsq-comment-message"><p>Oaks are overrated.</p></div></div>
<div class="dsq-meta"><span>Nov 8, 2012</span></div></li></ul></div></div>
"""

TABLE = """
<table class=comments>
<tr><td class=user>Ann Alder</td><td><small>3/5/2009 14:02</small><br>I have an oak, too.</td></tr>
<tr><td class=user>Ben</td><td><small>4/5/2009 08:10</small><br>Oaks are overrated.</td></tr></table>
"""

SHAPES = {
    "microformats": MICROFORMATS,
    "Disqus": DISQUS,
    "a table": TABLE,
    "WordPress": WORDPRESS,
    "Blogger": BLOGGER,
    "Movable Type": MOVABLE_TYPE,
    "dates first": HEADED,
    "Drupal": DRUPAL,
    "microdata": MICRODATA,
    "German": GERMAN,
}
